import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCheckpoint, readEvaluation } from '../../../src-main/core/trial/artifacts.ts';
import { makeFakeFiles } from '../../fakes/fake-files.ts';

const good = { w: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] }, __metadata__: { step: '8' } };

function safetensors(header: unknown, dataBytes = 16): Uint8Array {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.alloc(dataBytes)]);
}

async function newest(files: Readonly<Record<string, Uint8Array | string>>): Promise<string | null> {
  let nowMs = 0;
  const fake = makeFakeFiles({ wallMs: () => nowMs });
  for (const [name, content] of Object.entries(files)) {
    fake.plant(`/t/checkpoints/${name}`, content);
    nowMs += 1;
  }
  return (await findCheckpoint(fake, '/t', 'checkpoints/*'))?.relative.replace('checkpoints/', '') ?? null;
}

describe('artifacts', () => {
  it('TR4 takes the newest checkpoint', async () => {
    expect(await newest({ 'b.pt': 'x', 'a.pt': 'y' })).toBe('a.pt');
    expect(await newest({})).toBeNull();
    const same = makeFakeFiles();
    for (const step of [2, 10, 9]) same.plant(`/t/checkpoints/step_${step}.pt`, 'x');
    expect((await findCheckpoint(same, '/t', 'checkpoints/*'))?.relative).toBe('checkpoints/step_10.pt');
  });

  it('TR7 judges a plateau by the checkpoint at or before its deciding step, however far it ran on', async () => {
    const files = makeFakeFiles();
    for (const step of [0, 512, 1024, 9000]) files.plant(`/t/checkpoints/step_${step}.pt`, 'x');
    const chosen = async (upToStep: number) => (await findCheckpoint(files, '/t', 'checkpoints/*', upToStep))?.relative ?? null;
    expect(await chosen(1023)).toBe('checkpoints/step_512.pt');
    expect(await chosen(1024)).toBe('checkpoints/step_1024.pt');
    expect(await chosen(8999)).toBe('checkpoints/step_1024.pt');
    await files.remove('/t/checkpoints/step_0.pt');
    expect(await chosen(100)).toBe('checkpoints/step_512.pt');
    files.plant('/t/checkpoints/best.pt', 'x');
    expect(await chosen(512)).not.toBeNull();
  });

  it('TR4 passes over what is empty, unfinished or a link', async () => {
    expect(await newest({ 'a.pt': 'x', 'b.pt': '', 'c.pt.tmp': 'x', '.d.pt': 'x' })).toBe('a.pt');
    const files = makeFakeFiles();
    files.addLink('/checkpoints', '/etc');
    expect(await findCheckpoint(files, '/', 'checkpoints/*')).toBeNull();
  });

  it('TR4 takes a folder with something in it', async () => {
    expect(await newest({ 'checkpoint_000001/weights': 'x' })).toBe('checkpoint_000001');
  });

  it.each([
    ['whole', safetensors(good), true],
    ['a byte short', safetensors(good, 15), false],
    ['a byte long', safetensors(good, 17), false],
    ['not JSON', safetensors('{"w": '), false],
    ['no map', safetensors('[1]'), false],
    ['an entry that is wrong', safetensors({ w: { dtype: 'F32' } }), false],
    ['a shape that does not fit', safetensors({ w: { ...good.w, shape: [3, 2] } }), false],
    ['no tensor', safetensors({}, 0), false],
    ['a header longer than the file', Buffer.concat([Buffer.from([255, 255, 0, 0, 0, 0, 0, 0]), Buffer.alloc(20)]), false],
    ['a length of 2^63', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 128]), Buffer.alloc(20)]), false],
    ['four bytes', Buffer.alloc(4, 1), false],
    ['a type it does not know', safetensors({ w: { dtype: 'F8_E4M3', shape: [16], data_offsets: [0, 16] } }), true],
  ])('TR4 reads the header of a .safetensors file: %s', async (_what, bytes, isGood) => {
    expect(await newest({ 'step_1.safetensors': bytes })).toBe(isGood ? 'step_1.safetensors' : null);
  });

  it('TR4 is never thrown off by the bytes of a checkpoint', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        await newest({ 'x.safetensors': bytes });
        await newest({ 'x.safetensors': safetensors(Buffer.from(bytes).toString('latin1')) });
      }),
    );
  });

  it('TR10 says in words why there is no evaluation', async () => {
    const files = makeFakeFiles();
    expect(await readEvaluation(files, '/t/evaluation.json')).toEqual({ file: null, problem: 'it wrote no evaluation' });
    files.plant('/t/evaluation.json', '{"schema": 1');
    expect((await readEvaluation(files, '/t/evaluation.json')).problem).toContain('cannot be read');
    files.plant('/t/evaluation.json', '{"schema": 1, "episodes": [{"env": -1}]}');
    expect((await readEvaluation(files, '/t/evaluation.json')).problem).toContain('not valid');
  });
});
