// The environment that background processes of ours get: our own, without the mark of a trial. Imported by this room and the doctor.
import type { Machine } from '../../ports.ts';

export function environmentOf(machine: Pick<Machine, 'env' | 'envNames'>): Readonly<Record<string, string>> {
  const env: Record<string, string> = {};
  for (const name of machine.envNames()) {
    const value = machine.env(name);
    if (value !== undefined && name !== 'RLXP_TRIAL') env[name] = value;
  }
  return env;
}
