// The argv door passes the door suite: inputs become words of a command line, results and frames are read back from what it prints.
import type { Caller } from '../../../src-protocol/caller.ts';
import type { CallOptions, Transport } from '../../../src-protocol/client.ts';
import type { Frame } from '../../../src-protocol/frame.ts';
import { feeds, tools } from '../../../src-protocol/index.ts';
import type { Result } from '../../../src-protocol/refusal.ts';
import { runArgv } from '../../../src-main/serve/argv.ts';
import { makeRecordedTerminal } from '../../serve/recorded-terminal.ts';
import type { RecordedTerminal, RecordedTerminalOptions } from '../../serve/recorded-terminal.ts';
import { doorSuite } from './door-suite.ts';
import type { Scene } from './scene.ts';

doorSuite({ name: 'argv', callers: ['terminal', 'script'], open: makeArgvTransport });

function makeArgvTransport(scene: Scene, caller: Caller): Transport {
  const typed = { isInteractive: caller.kind === 'terminal', ...(caller.typed === null ? {} : { answers: [caller.typed] }) };
  return {
    async call(name, input) {
      const terminal = makeRecordedTerminal(typed);
      await run(terminal, [...wordsOf(name, input), '--json']);
      return JSON.parse(terminal.written.out) as Result<unknown>;
    },
    open: (name, input, options) => frames(typed, [...wordsOf(name, input), '--jsonl'], options),
  };

  async function* frames(options: RecordedTerminalOptions, words: readonly string[], { signal }: CallOptions = {}): AsyncGenerator<Frame> {
    const queue: string[] = [];
    let wake = (): void => undefined;
    const terminal = makeRecordedTerminal({
      ...options,
      onOut(text) {
        queue.push(...text.trimEnd().split('\n'));
        wake();
      },
    });
    signal?.addEventListener('abort', () => terminal.interrupt(), { once: true });
    let isOver = false;
    const ended = run(terminal, words).finally(() => {
      isOver = true;
      wake();
    });
    while (!isOver || queue.length > 0) {
      const line = queue.shift();
      if (line !== undefined) yield JSON.parse(line) as Frame;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await ended;
  }

  function run(terminal: RecordedTerminal, argv: readonly string[]): Promise<number> {
    return runArgv(argv, { terminal, dispatch: scene.dispatch, by: caller.by, version: '0', findRoot: (given) => Promise.resolve(given ?? terminal.cwd) });
  }
}

/** Values by position where the command has positions, flags for the rest. */
function wordsOf(name: string, input: unknown): readonly string[] {
  const declared = [...tools, ...feeds].find((one) => one.name === name);
  const { root, ...rest } = input as Readonly<Record<string, unknown>>;
  const path = declared?.cli.path ?? name.split('_');
  const positional: readonly string[] = declared?.cli.positional ?? [];
  const positions = positional.flatMap((key) => (rest[key] === undefined ? [] : [textOf(rest[key])]));
  const flags = Object.entries(rest).filter(([key]) => !positional.includes(key)).flatMap(([key, value]) => flagWords(key, value));
  const detach = declared !== undefined && 'then' in declared.cli ? ['--detach'] : [];
  return [...path, ...positions, ...(root === undefined ? [] : ['--root', String(root)]), ...flags, ...detach];
}

function flagWords(key: string, value: unknown): readonly string[] {
  const flag = `--${key.replaceAll('_', '-')}`;
  if (value === true) return [flag];
  if (Array.isArray(value)) return value.map((item: unknown) => `${flag}=${textOf(item)}`);
  return [`${flag}=${textOf(value)}`];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
