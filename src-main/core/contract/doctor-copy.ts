// The copy of the task's code that one doctor runs from, and the check right before each of its processes. Core rooms left of contract may import it.
import { doctorApprovalFile } from '../../../src-protocol/files/doctor.ts';
import { makeRefusal, RefusalError, type Difference } from '../../../src-protocol/refusal.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import { doctorPaths } from '../workspace/layout.ts';
import { tryJsonFile } from '../workspace/read-file.ts';
import type { DoctorPermission } from './doctor-approval.ts';
import type { ApprovalPorts } from './open-approval.ts';
import { packageListName, packagesDigest } from './packages.ts';
import { copySnapshot, readCopy, snapshotDifferences } from './snapshot.ts';

/** Copies what the permission covers into `folder`, read-only. The copied bytes are what is compared. Throws RefusalError: approval_lapsed. */
export async function takeDoctorCopy(ports: ApprovalPorts, root: string, { permission, folder }: { readonly permission: DoctorPermission; readonly folder: string }): Promise<void> {
  const { subject, named } = permission.live;
  const copied = await copySnapshot(ports, { root, named, folder });
  const differences = snapshotDifferences(subject.snapshot, copied);
  if (differences.length === 0) return;
  await ports.files.remove(folder);
  lapsed(subject.study, 'The task\'s code changed while it was copied.', differences);
}

/** Throws RefusalError (approval_lapsed, damaged) when the copy, the packages, the ledger or the approval itself are not as they were. */
export async function checkDoctorLaunch(ports: ApprovalPorts, root: string, { permission, folder }: { readonly permission: DoctorPermission; readonly folder: string }): Promise<void> {
  const { subject, study } = permission.live;
  const ledger = await verifyLedger(ports, root);
  if (!ledger.ok) throw new RefusalError(makeRefusal('damaged', ledger.text));
  const differences = snapshotDifferences(subject.snapshot, await readCopy(ports.files, folder));
  if (differences.length > 0) lapsed(study.name, 'The copy of the task\'s code is not what was approved.', differences);
  const packages = await packagesDigest(ports, root, study.adapter);
  if (packages !== subject.packages_digest) lapsed(study.name, 'The packages are not those that were approved.', [{ what: packageListName, approved: subject.packages_digest.slice(0, 12), now: packages.slice(0, 12) }]);
  if (permission.kind !== 'person') return;
  const { approval: file } = doctorPaths(root, study.name);
  const reading = await tryJsonFile(ports.files, file, doctorApprovalFile);
  if (!reading.ok || reading.file.digest !== permission.digest || reading.file.at !== permission.approvedAt) lapsed(study.name, 'The approval this doctor was started with is gone.', []);
}

function lapsed(study: string, text: string, differences: readonly Difference[]): never {
  throw new RefusalError(makeRefusal('approval_lapsed', text, { differences, next: `Approve it again with \`rlxp doctor approve ${study}\`.` }));
}
