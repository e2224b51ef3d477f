// Types of python-environment.mjs, for test/bench.
export interface PythonEnvironmentOptions {
  readonly name: string;
  readonly requirements: string;
  readonly cache: string;
  readonly asked: string | undefined;
  readonly asking: string;
  readonly size: string;
  readonly say: (text: string) => void;
}
export function cacheFolder(): string;
export function pythonEnvironment(options: PythonEnvironmentOptions): Promise<string>;
export function programsIn(folder: string): string;
export function pythonIn(folder: string): string;
export function madeOnce(options: { readonly folder: string; readonly say: (text: string) => void }, make: (folder: string) => Promise<void>): Promise<string>;
export function must(command: readonly string[], otherwise: string, options?: { readonly cwd?: string }): Promise<void>;
