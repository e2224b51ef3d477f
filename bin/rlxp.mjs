#!/usr/bin/env node
// The `rlxp` command: builds what is missing or out of date, then hands over to out/engine/cli.js.
import { ensureReady } from '../scripts/ensure-ready.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`rlxp: needs Node 20.19 or newer; this is ${process.version}\n`);
  process.exit(1);
}

try {
  await ensureReady();
} catch (error) {
  process.stderr.write(`rlxp: ${error.message}\n`);
  process.exit(1);
}
await import('../out/engine/cli.js');
