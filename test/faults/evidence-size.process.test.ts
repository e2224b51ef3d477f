// Evidence of a study with large event files: memory does not grow with them.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { growEventFile, runMeasured } from '../evidence/large-logs.ts';
import { approvedProject, recordsOf, runDirect } from '../campaign/project.ts';
import { fast, studyText } from '../campaign/studies.ts';

const megabytes = Number(process.env['RLXP_EVIDENCE_MB'] ?? 120);

it('EV4: packing and verifying hundreds of megabytes takes the memory of a small study', { timeout: 900_000 }, async () => {
  const project = await approvedProject('large', { study: studyText({ noise: 'off', verify: '{}', candidates: [fast] }) });
  expect((await runDirect(project)).code).toBe(0);
  const small = await runMeasured(['evidence', 'quick', '--out', 'small.zip'], project.root);
  expect(small.code, small.out).toBe(0);
  const smallVerified = await runMeasured(['evidence', 'verify', 'small.zip'], project.root);
  const logs = join(project.run, 'trials', recordsOf(project)[0]?.folder ?? '', 'logs');
  const [file = ''] = readdirSync(logs, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('tfevents'));
  growEventFile(join(logs, file), megabytes * 1024 * 1024);
  const large = await runMeasured(['evidence', 'quick', '--out', 'large.zip'], project.root);
  expect(large.code, large.out).toBe(0);
  const verified = await runMeasured(['evidence', 'verify', 'large.zip'], project.root);
  expect(verified.out).toMatch(/HOLDS:/);
  console.log(`${megabytes} MB of logs: packed in ${large.seconds.toFixed(1)} s with at most ${large.peakMb.toFixed(0)} MB (small study: ${small.peakMb.toFixed(0)} MB), verified in ${verified.seconds.toFixed(1)} s with ${verified.peakMb.toFixed(0)} MB (${smallVerified.peakMb.toFixed(0)} MB)`);
  expect(large.peakMb - small.peakMb).toBeLessThan(100);
  expect(verified.peakMb - smallVerified.peakMb).toBeLessThan(100);
});
