// The whole environment of a trial's processes: a short list of names, and what the adapter asks for. Imported by this room only.

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
  ...['CUDA_VISIBLE_DEVICES', 'OMP_NUM_THREADS', 'MKL_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMEXPR_NUM_THREADS'],
  // Without these nothing starts on Windows.
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'ProgramData'],
];

const fixed: Readonly<Record<string, string>> = { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1' };

const secret = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|_AUTH|AUTH_|COOKIE|PRIVATE/i;
const never = /^(RLXP_|NODE_OPTIONS$|ELECTRON_|LD_PRELOAD$|LD_AUDIT$|DYLD_INSERT_LIBRARIES$)/i;

export function trialEnvironment(source: EnvironmentSource, asked: readonly string[]): TrialEnvironment {
  const withheld = asked.filter((name) => secret.test(name) || never.test(name));
  const localeNames = source.envNames().filter((name) => /^LC_[A-Z]+$/.test(name));
  const names = [...always, ...localeNames, ...asked.filter((name) => !withheld.includes(name))];
  const env: Record<string, string> = {};
  for (const name of names) {
    const value = source.env(name);
    if (value !== undefined) env[name] = value;
  }
  return { env: { ...env, ...fixed }, withheld };
}
