import { describe, expect, it } from 'vitest';
import { makeConsoleProgress, stripTerminalCodes } from '../../../src-main/core/trial/console-progress.ts';
import { findDeviceLost, findDiskFull, findOutOfMemory } from '../../../src-main/core/trial/oom.ts';

/** Whether each text, added alone, shows progress. */
function progress(...texts: readonly string[]): readonly boolean[] {
  const console = makeConsoleProgress();
  return texts.map((text) => {
    console.add(text);
    return console.take();
  });
}

describe('console progress', () => {
  it('M5 sees a line that comes again with a number that grew', () => {
    expect(progress('step 1/100  reward 3\n', 'step 2/100  reward 1\n', 'step 2/100  reward 1\n', 'step 2/100  reward 0\n')).toEqual([false, true, false, false]);
  });

  it('M5 sees a bar that is redrawn in place, with colours', () => {
    const bar = (n: number) => `\r\u001b[32m${n}%\u001b[0m|${'█'.repeat(n)}${' '.repeat(20 - n)}| ${n}/20 [00:0${n}<00:1${9 - n}, 22.1it/s]`;
    expect(progress(bar(1), bar(2), bar(2), bar(3))).toEqual([false, true, false, true]);
    const column = (n: number) => `\u001b[1Gdownloading ${n} of 9`;
    expect(progress(column(1), column(2))).toEqual([false, true]);
  });

  it('M5 takes other lines, spinners and words for no progress', () => {
    expect(progress('warning: slow\n', 'warning: slow\n', '|\r', '/\r', '-\r', 'loading\n', 'epoch 5\n', 'batch 6\n')).toEqual(Array(8).fill(false));
  });

  it('M5 sees progress between other lines, and in a line that arrives in pieces', () => {
    expect(progress('a\nepoch 1\nb\n', 'a\nepoch 2\nb\n')).toEqual([false, true]);
    expect(progress('epoch 1\n', 'epo', 'ch 2\n')).toEqual([false, false, true]);
  });

  it('M5 costs little in a flood', () => {
    const console = makeConsoleProgress();
    const chunk = 'x1'.repeat(32 * 1024);
    const start = performance.now();
    for (let index = 0; index < 1600; index += 1) {
      console.add(chunk);
      if (index % 20 === 0) console.take();
    }
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('M5 strips escape sequences, titles included', () => {
    expect(stripTerminalCodes('\u001b]0;title\u0007a\u001b[1;31mb\u001b[0m\u001b(Bc\u0008\r\nd')).toBe('abc\r\nd');
  });
});

describe('out of memory', () => {
  it.each([
    'RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 7.79 GiB total capacity)',
    'torch.OutOfMemoryError: CUDA out of memory.',
    'torch.cuda.OutOfMemoryError: HIP out of memory',
    'terminate called after throwing an instance of \'std::bad_alloc\'',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'RangeError: Array buffer allocation failed',
    'MemoryError',
    'jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8 bytes.',
    'OSError: [Errno 12] Cannot allocate memory',
    'Killed',
    '[Error] [omni.physx.plugin] PhysX error: PxgCudaDeviceMemoryAllocator fail to allocate memory 339738624 bytes!!',
  ])('M9 recognises: %s', (line) => {
    expect(findOutOfMemory(`before\r\n\u001b[31m${line}\u001b[0m\r\nafter`)).toContain(line.slice(0, 20));
  });

  it.each(['memory 12 %', 'Killed 3 of 5 enemies', 'freeing memory', 'gpu memory: 3 GB out of 8', 'ran out of episodes'])('M9 leaves alone: %s', (line) => {
    expect(findOutOfMemory(line)).toBeNull();
  });

  it('TR8 recognises a full disk and a lost device', () => {
    expect(findDiskFull('OSError: [Errno 28] No space left on device')).not.toBeNull();
    expect(findDeviceLost('Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.')).not.toBeNull();
    expect(findDiskFull('space')).toBeNull();
  });
});
