// Everything a doctor's approval covers, as the repository holds it now. Core rooms left of contract may import it.
import { doctorAllows, doctorGates, doctorLimitS, type DoctorApprovalFile, type DoctorGate, type DoctorSubject } from '../../../src-protocol/files/doctor.ts';
import type { Plain, PlainMap } from '../../../src-protocol/files/plain.ts';
import type { Ports } from '../../ports.ts';
import { digest } from '../provenance/canonical-json.ts';
import { loadStudy } from '../study/load-study.ts';
import type { LoadedStudy } from '../study/loaded-study.ts';
import { adapterDigest } from './adapter-digest.ts';
import { gateDigest } from './gates.ts';
import { packagesDigest } from './packages.ts';
import { readSnapshot, type SnapshotReading } from './snapshot.ts';
import { namedPaths } from './snapshot-paths.ts';

export interface DoctorLive {
  readonly study: LoadedStudy;
  readonly timesteps: number;
  readonly values: DoctorApprovalFile['approved'];
  readonly subject: DoctorSubject;
  readonly snapshot: SnapshotReading;
  /** Paths of the repository that the snapshot covers. */
  readonly named: readonly string[];
}

export interface DoctorOf {
  readonly study: string;
  /** Null takes the screen stage's. */
  readonly timesteps: number | null;
  /** Refuses what could not even start here; the doctor itself finds that out. */
  readonly looksForPrograms?: boolean;
}

/**
 * What a study would cost and which settings its candidates change is not judged: a doctor
 * trains the baseline alone, and is there to find out what it costs. Throws what loading a study throws.
 */
export async function readDoctorLive(ports: Pick<Ports, 'files' | 'git' | 'node' | 'machine'>, root: string, of: DoctorOf): Promise<DoctorLive> {
  const study = await loadStudy({ files: ports.files, node: ports.node, root, study: of.study, leaveOut: ['over_budget', 'out_of_scope'], ...(of.looksForPrograms === true ? { machine: ports.machine } : {}) });
  const named = namedPaths(study.task, study.adapter);
  const snapshot = await readSnapshot(ports, root, named);
  const timesteps = of.timesteps ?? study.stages.screen.timesteps;
  const values = { trial: trialValues(study, timesteps), gates: gateValuesOf(study), adapter: plainCopy(study.adapter), task: plainCopy(study.task) };
  const subject: DoctorSubject = {
    study: study.name,
    allows: doctorAllows,
    timesteps: of.timesteps,
    ...valueDigests(values),
    snapshot: snapshot.entries.map((entry) => ({ ...entry })),
    packages_digest: await packagesDigest(ports, root, study.adapter),
  };
  return { study, timesteps, values, subject, snapshot, named };
}

/** The digests of a subject that are taken of values. */
export function valueDigests(values: DoctorApprovalFile['approved']): Pick<DoctorSubject, 'trial_digest' | 'gates' | 'adapter_digest' | 'task_digest'> {
  return {
    trial_digest: digest(values.trial),
    gates: mapGates((gate) => gateDigest(values.gates[gate])),
    adapter_digest: adapterDigest(values.adapter),
    task_digest: digest(values.task),
  };
}

function trialValues(study: LoadedStudy, timesteps: number): PlainMap {
  const { base, baseline } = study;
  return plainCopy({
    candidate: baseline.name,
    seed: base.seed,
    num_envs: baseline.num_envs,
    device: base.devices[0],
    backend: base.backend,
    timesteps,
    env_cfg: baseline.env_cfg,
    agent_cfg: baseline.agent_cfg,
    evaluation: { ...study.eval, env_cfg: baseline.canonical_env_cfg },
    monitor: study.stages.screen.monitor,
    limit_s: doctorLimitS,
  });
}

function gateValuesOf(study: LoadedStudy): Record<DoctorGate, Plain> {
  return mapGates((gate) => {
    const { value } = study.contract.gates[gate];
    return value === null ? null : plainCopy(value);
  });
}

function mapGates<Value>(of: (gate: DoctorGate) => Value): Record<DoctorGate, Value> {
  return Object.fromEntries(doctorGates.map((gate) => [gate, of(gate)])) as Record<DoctorGate, Value>;
}

/** What JSON keeps of a parsed value: keys that are absent stay absent. */
function plainCopy(value: object): PlainMap {
  return JSON.parse(JSON.stringify(value)) as PlainMap;
}
