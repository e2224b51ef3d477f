// Everything an approval covers, as the repository holds it now. This room; evidence for the digests.
import type { ApprovalSubject, ApprovedFile } from '../../../src-protocol/files/approval.ts';
import type { ContractFile, GateName } from '../../../src-protocol/files/contract.ts';
import { experimentsFile } from '../../../src-protocol/files/experiment.ts';
import type { PlainMap } from '../../../src-protocol/files/plain.ts';
import { studyFile, type StudyFile } from '../../../src-protocol/files/study.ts';
import { taskFile } from '../../../src-protocol/files/task.ts';
import { refuse, RefusalError } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { digest } from '../provenance/canonical-json.ts';
import { projectPaths, shownPath, studyPath, taskPath } from '../workspace/layout.ts';
import { readAdapter } from '../workspace/read-adapter.ts';
import { checkYaml, readYamlFile } from '../workspace/read-file.ts';
import { readContract } from './contract-file.ts';
import { adapterDigest } from './adapter-digest.ts';
import { gateDigest } from './gates.ts';
import { packagesDigest } from './packages.ts';
import { readSnapshot, type SnapshotReading } from './snapshot.ts';
import { namedPaths } from './snapshot-paths.ts';

export type LivePorts = Pick<Ports, 'files' | 'git' | 'node'>;

export interface Live {
  readonly values: ApprovedFile;
  readonly snapshot: SnapshotReading;
  /** Paths of the repository that the snapshot covers. */
  readonly named: readonly string[];
  readonly subject: ApprovalSubject;
  readonly contract: ContractFile;
  readonly experimentStatus: 'proposed' | 'approved' | 'withdrawn';
  /** Bytes of the study file that the values were read from. */
  readonly studyBytes: Uint8Array;
}

/** Throws RefusalError: not_a_repository, not_found, invalid_file, newer_schema. */
export async function readLive(ports: LivePorts, root: string, study: string): Promise<Live> {
  const paths = projectPaths(root);
  const shown = (file: string): { readonly shownAs: string } => ({ shownAs: shownPath(root, file) });
  const contract = await readContract(ports.files, root);
  const studyAt = studyPath(root, study);
  const { studyValue, studyBytes } = await readStudy(ports, studyAt, shownPath(root, studyAt));
  if (studyValue.study !== study) refuse('invalid_file', `${shownPath(root, studyAt)} names the study ${studyValue.study}: name and file must agree.`);
  const { value: experiments } = await readYamlFile(ports.files, paths.experiments, experimentsFile, shown(paths.experiments));
  // The gate asks for the same: whoever confirmed it has proposed the experiment.
  const gate = contract.gates.experiment.value;
  const experiment = experiments.experiments.find((one) => one.study === study) ?? (gate?.study === study ? { why: gate.why, evidence: [], status: 'proposed' as const } : undefined);
  if (experiment === undefined) {
    return refuse('not_found', `Neither the gate experiment nor experiments.yaml names the study ${study}.`, { next: `Set the gate: \`rlxp contract set experiment --value '{"study": "${study}", "why": "..."}'\`.` });
  }
  const { value: adapter } = await readAdapter({ ...ports, root });
  const taskAt = taskPath(root, studyValue.base.task);
  const { value: task } = await readYamlFile(ports.files, taskAt, taskFile, shown(taskAt));

  const named = namedPaths(task, adapter);
  const snapshot = await readSnapshot(ports, root, named);
  const values: ApprovedFile = {
    schema: 1,
    study: plainCopy(studyValue),
    experiment: plainCopy({ study, why: experiment.why, evidence: experiment.evidence }),
    gates: gatesOf(contract),
    adapter: plainCopy(adapter),
    task: plainCopy(task),
  };
  const subject = subjectOf(study, values, { snapshot: snapshot.entries, packages: await packagesDigest(ports, root, adapter) });
  return { values, snapshot, named, subject, contract, experimentStatus: experiment.status, studyBytes };
}

/** Value and bytes of one and the same reading, so that what is frozen is what was digested. */
async function readStudy(ports: LivePorts, file: string, shownAs: string): Promise<{ readonly studyValue: StudyFile; readonly studyBytes: Uint8Array }> {
  await readYamlFile(ports.files, file, studyFile, { shownAs });
  const studyBytes = await ports.files.readBytes(file);
  const reading = checkYaml(new TextDecoder().decode(studyBytes), studyFile, shownAs);
  if (!reading.ok) throw new RefusalError(reading.refusal);
  return { studyValue: reading.file.value, studyBytes };
}

/** The digests of `values`, beside those of files and packages. */
export function subjectOf(
  study: string,
  values: ApprovedFile,
  code: { readonly snapshot: ApprovalSubject['snapshot'] | SnapshotReading['entries']; readonly packages: string },
): ApprovalSubject {
  return {
    study,
    study_digest: digest(values.study),
    experiment_digest: digest(values.experiment),
    gates: mapGates((gate) => gateDigest(values.gates[gate])),
    adapter_digest: adapterDigest(values.adapter),
    task_digest: digest(values.task),
    snapshot: code.snapshot.map((entry) => ({ ...entry })),
    packages_digest: code.packages,
  };
}

function gatesOf(contract: ContractFile): ApprovedFile['gates'] {
  return mapGates((gate) => {
    const { value } = contract.gates[gate];
    return value === null ? null : plainCopy(value);
  });
}

function mapGates<Value>(of: (gate: GateName) => Value): Record<GateName, Value> {
  return {
    task: of('task'),
    metric: of('metric'),
    scope: of('scope'),
    budget: of('budget'),
    hardware: of('hardware'),
    baseline: of('baseline'),
    evaluation: of('evaluation'),
    experiment: of('experiment'),
  };
}

/** What JSON keeps of a parsed file: keys that are absent stay absent. */
function plainCopy(value: object): PlainMap {
  return JSON.parse(JSON.stringify(value)) as PlainMap;
}
