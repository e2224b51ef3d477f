#!/usr/bin/env node
// The `rlxp` command: builds what is missing or out of date, then hands over to out/engine/cli.js.
import { ensureReady } from '../scripts/ensure-ready.mjs';

try {
  await ensureReady();
} catch (error) {
  process.stderr.write(`rlxp: ${error.message}\n`);
  process.exit(1);
}
await import('../out/engine/cli.js');
