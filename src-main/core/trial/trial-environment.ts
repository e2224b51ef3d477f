// The whole environment of a trial's processes: a short list of names, and what the adapter asks for. Imported by this room only.

import type { AdapterFile } from '../../../src-protocol/files/adapter.ts';
import { threadNames, threadVariables } from './trial-threads.ts';

export interface EnvironmentSource {
  env(name: string): string | undefined;
  envNames(): readonly string[];
}

export interface TrialEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Names the adapter asked for that hold secrets, or are ours: never passed on. */
  readonly withheld: readonly string[];
}

const always: readonly string[] = [
  ...['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TMPDIR', 'TZ', 'USER', 'LOGNAME', 'SHELL'],
  ...['CUDA_VISIBLE_DEVICES', ...threadNames],
  // Without these nothing starts on Windows.
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'ProgramData'],
];

const fixed: Readonly<Record<string, string>> = { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' };

const secret = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|_AUTH|AUTH_|COOKIE|PRIVATE/i;
const never = /^(RLXP_|NODE_OPTIONS$|ELECTRON_|LD_PRELOAD$|LD_AUDIT$|DYLD_INSERT_LIBRARIES$)/i;

/** `threads`: what trial.json says. */
export function trialEnvironment(source: EnvironmentSource, adapter: Pick<AdapterFile, 'env' | 'threads_per_trial'>, threads: number | null): TrialEnvironment {
  const asked = adapter.env;
  const withheld = asked.filter((name) => secret.test(name) || never.test(name));
  const localeNames = source.envNames().filter((name) => /^LC_[A-Z]+$/.test(name));
  const names = [...always, ...localeNames, ...asked.filter((name) => !withheld.includes(name))];
  const env: Record<string, string> = {};
  for (const name of names) {
    const value = source.env(name);
    if (value !== undefined) env[name] = value;
  }
  return { env: { ...env, ...threadVariables(threads, { adapter, machine: source }), ...fixed }, withheld };
}
