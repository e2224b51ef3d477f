// Types of child.mjs, for test/bench.
export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly output?: 'inherit' | 'stderr' | 'collect';
}
export function runChild(command: string, args: readonly string[], options?: ChildOptions): Promise<{ readonly code: number; readonly text: string }>;
export function npmCommand(): string;
