// Manifests: written before training, finished always, and read as interrupted when their process is gone.
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishManifest, makeRunId, readManifest, startManifest, type ManifestStart } from '../../../src-main/core/provenance/manifest.ts';
import { isSealOf, machineMark, makeSeal } from '../../../src-main/core/provenance/seal.ts';
import { manifestFile } from '../../../src-protocol/files/manifest.ts';
import { RefusalError } from '../../../src-protocol/refusal.ts';
import { makeFakePorts } from '../../fakes/fake-ports.ts';
import { digestText } from '../../../src-main/core/provenance/canonical-json.ts';

const root = '/home/ada/robot';
const file = `${root}/.rlxp/runs/quick/manifest.json`;
const start: ManifestStart = {
  kind: 'campaign',
  root,
  argv: ['node', 'campaign.js', 'hunter2-long'],
  seeds: { train: 42 },
  backend: 'plain',
  frameworks: { 'rlxp-workbench': '0.1.0' },
};

function scene() {
  const ports = makeFakePorts();
  ports.files.plant(`${root}/uv.lock`, 'uv');
  ports.files.plant(`${root}/requirements-dev.txt`, 'numpy');
  ports.files.plant(`${root}/notes.lock`, 'not ours');
  ports.files.plant('/opt/rlxp/package-lock.json', '{}');
  return ports;
}

describe('the manifest of a run', () => {
  it('PV3 is written before training with where, what and under which versions', async () => {
    const ports = scene();
    const manifest = await startManifest(ports, file, start);
    expect(manifestFile.parse(JSON.parse(await ports.files.readText(file)))).toEqual(manifest);
    const self = await ports.processes.self();
    expect(manifest).toMatchObject({
      status: 'running',
      ended_at: null,
      process: { pid: self.pid, start_time: self.startTime },
      program: { name: 'rlxp-workbench', version: '0.1.0', commit: null },
      repository: null,
      seeds: { train: 42 },
      hardware: { usable_cores: 2, gpus: 'unknown' },
    });
    expect(manifest.lockfiles).toEqual({ 'uv.lock': digestText('uv'), 'requirements-dev.txt': digestText('numpy'), 'program/package-lock.json': digestText('{}') });
  });

  it('PV3 holds the commit and the digest of what was not committed', async () => {
    const ports = scene();
    const git = { ...ports.git, facts: () => Promise.resolve({ root, commit: 'abc', branch: 'main', isDirty: true, diffDigest: 'f00d' }) };
    expect((await startManifest({ ...ports, git }, file, start)).repository).toEqual({ commit: 'abc', branch: 'main', dirty: true, diff_sha256: 'f00d' });
  });

  it('PV4 names a run by its second and 8 hex digits', () => {
    const ports = scene();
    expect(makeRunId(ports)).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{8}$/);
    expect(makeRunId(ports)).not.toBe(makeRunId(ports));
  });

  it.each(['completed', 'failed', 'interrupted'] as const)('PV5 is finished as %s', async (status) => {
    const ports = scene();
    const manifest = await startManifest(ports, file, start);
    const error = { type: 'Error', message: 'Bearer abcdefgh12345' };
    await finishManifest(ports, file, manifest, { status, facts: { trials: 3, spread: Number.NaN }, ...(status === 'completed' ? {} : { error }) });
    const read = await readManifest(ports, file);
    expect(read).toMatchObject({ status, run_id: manifest.run_id, facts: { trials: 3, spread: Number.NaN } });
    expect(read?.ended_at).not.toBeNull();
    expect(read?.error).toEqual(status === 'completed' ? null : { type: 'Error', message: 'Bearer [redacted]' });
  });

  it('PV5 reads as interrupted when its process is gone or the machine was started anew', async () => {
    const ports = scene();
    await startManifest(ports, file, start);
    const alive = { ...ports.processes, isAlive: () => Promise.resolve(true) };
    const gone = { ...ports.processes, isAlive: () => Promise.resolve(false) };
    const rebooted = { ...alive, bootId: () => Promise.resolve('another boot') };
    expect((await readManifest({ ...ports, processes: alive }, file))?.status).toBe('running');
    expect((await readManifest({ ...ports, processes: gone }, file))?.status).toBe('interrupted');
    expect((await readManifest({ ...ports, processes: rebooted }, file))?.status).toBe('interrupted');
    expect(await readManifest(ports, path.join(root, 'none.json'))).toBeNull();
  });

  it('PV5 refuses what is no manifest, and one of a newer version', async () => {
    const ports = scene();
    ports.files.plant(file, '{');
    await expect(readManifest(ports, file)).rejects.toThrow(RefusalError);
    ports.files.plant(file, '{"schema":2}');
    await expect(readManifest(ports, file)).rejects.toMatchObject({ refusal: { code: 'newer_schema' } });
  });

  it('PV6 holds no secret: arguments and errors redacted, environment variables by name only', async () => {
    const ports = scene();
    const machine = { ...ports.machine, env: () => 'hunter2-long', envNames: () => ['ZED', 'API_TOKEN'] };
    const manifest = await startManifest({ ...ports, machine }, file, { ...start, facts: { note: 'hunter2-long' } });
    await finishManifest({ ...ports, machine }, file, manifest, { status: 'failed', error: { type: 'Error', message: 'no route to hunter2-long' } });
    const text = await ports.files.readText(file);
    expect(text).not.toContain('hunter2');
    expect(manifest.argv).toEqual(['node', 'campaign.js', '[redacted]']);
    expect(manifest.env_names).toEqual(['API_TOKEN', 'ZED']);
  });
});

describe('a seal', () => {
  const key = new Uint8Array(32).fill(1);

  it('PV7 covers its domain, every field and their order, and nothing else opens it', () => {
    const seal = makeSeal(key, 'a', ['x', 1]);
    expect(isSealOf(seal, key, 'a', ['x', 1])).toBe(true);
    for (const [domain, fields] of [['b', ['x', 1]], ['a', [1, 'x']], ['a', ['x', 2]], ['a', ['x']], ['a', ['x,1']]] as const) expect(isSealOf(seal, key, domain, fields)).toBe(false);
    expect(isSealOf(seal, new Uint8Array(32).fill(2), 'a', ['x', 1])).toBe(false);
    expect(isSealOf(`${seal.slice(0, -1)}z`, key, 'a', ['x', 1])).toBe(false);
    expect(isSealOf('', key, 'a', ['x', 1])).toBe(false);
  });

  it('PV7 names its key by a mark that differs between keys', () => {
    expect(machineMark(key)).toMatch(/^[0-9a-f]{16}$/);
    expect(machineMark(key)).not.toBe(machineMark(new Uint8Array(32).fill(2)));
  });
});
