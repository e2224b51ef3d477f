// Approves the bundled examples as they are now; run by approve-examples.mjs, which builds it first.
import { join } from 'node:path';
import { makeSystemPorts } from '../src-main/adapters/system-ports.ts';
import { makeBundledApproval } from '../src-main/core/contract/bundled-example.ts';
import { loadStudy } from '../src-main/core/study/load-study.ts';

const [home, ...examples] = process.argv.slice(2);
const ports = makeSystemPorts({ entryUrl: new URL(`file://${join(home ?? '', 'out/engine/cli.js')}`).href });
for (const example of examples) {
  const [name = '', study = ''] = example.split('/');
  const root = join(home ?? '', 'examples', name);
  const loaded = await loadStudy({ files: ports.files, node: ports.node, root, study });
  for (const warning of loaded.warnings) process.stdout.write(`${name}: ${warning.message}\n`);
  const made = await makeBundledApproval(ports, root, study);
  process.stdout.write(`${name}/${study}: ${made.approval.digest}\n`);
}
