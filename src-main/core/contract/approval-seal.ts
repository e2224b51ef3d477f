// The seal of an approval: who approved what, when, and whether agents may start it. This room only.
import type { ApprovalFile } from '../../../src-protocol/files/approval.ts';
import { isSealOf, machineMark, makeSeal } from '../provenance/seal.ts';

const domain = 'rlxp approval v1';

type Sealed = Pick<ApprovalFile, 'digest' | 'kind' | 'by' | 'at' | 'agents_may_start'>;

export function sealApproval(machineKey: Uint8Array, approval: Sealed): Pick<ApprovalFile, 'machine' | 'seal'> {
  return { machine: machineMark(machineKey), seal: makeSeal(machineKey, domain, sealedFields(approval)) };
}

export type SealState = 'valid' | 'foreign' | 'broken';

export function sealState(machineKey: Uint8Array, approval: ApprovalFile): SealState {
  if (approval.seal === null || approval.machine === null) return 'broken';
  if (approval.machine !== machineMark(machineKey)) return 'foreign';
  return isSealOf(approval.seal, machineKey, domain, sealedFields(approval)) ? 'valid' : 'broken';
}

function sealedFields(approval: Sealed): readonly unknown[] {
  return [approval.digest, approval.kind, approval.by, approval.at, approval.agents_may_start];
}
