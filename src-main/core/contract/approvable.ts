// Whether a person could approve a study now, and everything that stands in the way. This room only.
import type { LedgerLine } from '../../../src-protocol/files/ledger.ts';
import { refuse, type Problem } from '../../../src-protocol/refusal.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import { loadStudy } from '../study/load-study.ts';
import { projectPaths, shownPath } from '../workspace/layout.ts';
import { viewGates, type GateView } from './gates.ts';
import { readLive, type Live } from './live.ts';
import type { ApprovalPorts } from './open-approval.ts';

/** Everything as it is now, if a person could approve it: all eight gates confirmed, naming this study, and every file covered. */
export async function readApprovable(ports: ApprovalPorts, root: string, study: string): Promise<Live> {
  const live = await readLive(ports, root, study);
  const gates = viewGates(live.contract, await linesToTrust(ports, root));
  const shownAs = shownPath(root, projectPaths(root).contract);
  const problems = [...gates.flatMap((gate) => openGate(gate, shownAs)), ...crossChecks(live, study, shownAs)];
  if (problems.length > 0) {
    const why = problems.map((one) => one.message).join('; ');
    refuse('gate_missing', `The contract is not ready for ${study}: ${why}.`, { problems, next: problems[0]?.fix ?? '' });
  }
  await loadStudy({ files: ports.files, node: ports.node, machine: ports.machine, root, study });
  if (live.experimentStatus === 'withdrawn') refuse('not_found', `The experiment ${study} was withdrawn in experiments.yaml.`, { next: 'Set its status to `proposed` again, or write another study.' });
  if (live.snapshot.problems.length > 0) {
    refuse('invalid_file', 'Some of the task\'s code cannot be covered by an approval.', {
      problems: live.snapshot.problems.map(({ path, what }) => ({
        ...{ file: path, line: null, column: null, message: `${path} ${what}` },
        fix: 'Correct the task\'s `entry` or `snapshot`, or the file itself.',
      })),
    });
  }
  return live;
}

/** None of a ledger that this machine did not seal: its gates have to be confirmed here. */
async function linesToTrust(ports: ApprovalPorts, root: string): Promise<readonly LedgerLine[]> {
  const { ok, state, text, lines } = await verifyLedger(ports, root);
  if (ok) return lines;
  return state === 'sealed_elsewhere' || state === 'head_missing' ? [] : refuse('damaged', text);
}

function openGate(gate: GateView, file: string): readonly Problem[] {
  if (gate.state === 'confirmed') return [];
  const fix = gate.state === 'missing' ? `Give it a value with \`rlxp contract set ${gate.gate} --value JSON\`, then confirm it.` : `Confirm it with \`rlxp contract confirm ${gate.gate}\`.`;
  return [{ file, line: null, column: null, message: `the gate ${gate.gate} ${gate.text}`, fix }];
}

/** The contract must be about this very study and its task. */
function crossChecks({ contract, values }: Live, study: string, file: string): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (gate: string, named: string, wanted: string): void => {
    problems.push({ file, line: null, column: null, message: `the gate ${gate} names ${named}, and this is ${wanted}`, fix: `Set the gate ${gate} to ${wanted} and confirm it.` });
  };
  const named = contract.gates.experiment.value?.study;
  if (named !== undefined && named !== study) add('experiment', named, study);
  const task = (values.study['base'] as { readonly task?: string } | undefined)?.task ?? '';
  const agreed = contract.gates.task.value?.task;
  if (agreed !== undefined && agreed !== task) add('task', agreed, task);
  return problems;
}
