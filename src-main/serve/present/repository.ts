// How the tools of a whole repository read in a terminal.
import type { Presenter } from './presenter.ts';
import { alignRows } from './table.ts';

export const repositoryInit: Presenter<'repository_init'> = {
  lines: ({ root, project, created }, look) => [
    look.bold(`Started the project "${project}" in ${root}`),
    ...created.map((path) => `  ${path}`),
    '',
    'next: fill the gates (`rlxp contract show` lists them), write a study in .rlxp/studies, then `rlxp study check <study>`',
  ],
};

export const repositoryShow: Presenter<'repository_show'> = {
  lines({ project, root, gates, studies, next }, look) {
    const confirmed = gates.filter((gate) => gate.status === 'confirmed').length;
    const open = gates.filter((gate) => gate.status !== 'confirmed').map((gate) => `${gate.gate} (${gate.status})`);
    const rows = studies.map((one) => [
      `  ${one.study}`,
      one.readable ? `approval: ${one.approval}` : look.bad('has problems: rlxp study check'),
      `campaign: ${one.campaign}`,
      one.verdict === null ? '' : `verdict: ${one.verdict.replaceAll('_', ' ')}`,
    ]);
    return [
      `${look.bold(project)}  ${look.dim(root)}`,
      `gates: ${confirmed} of ${gates.length} confirmed${open.length === 0 ? '' : `; open: ${open.join(', ')}`}`,
      studies.length === 0 ? 'studies: none yet' : 'studies:',
      ...alignRows(rows),
      `next: ${next}`,
    ];
  },
};
