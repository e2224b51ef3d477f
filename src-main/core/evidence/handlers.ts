// The tools evidence_pack and evidence_verify. The workbench imports it. Rules: docs/specs/evidence.md.
import { isAgent } from '../../../src-protocol/caller.ts';
import { requireRepository } from '../campaign/read-campaign.ts';
import type { Handler } from '../dispatch/handler.ts';
import { packEvidence } from './pack-evidence.ts';
import { verifyEvidence } from './verify-evidence.ts';

export const evidencePack: Handler<'evidence_pack'> = async ({ root, study, out, checkpoints }, { ports, caller }) => {
  await requireRepository(ports, root);
  return packEvidence(ports, root, { study, out: out ?? null, withCheckpoints: checkpoints, mayWriteAnywhere: !isAgent(caller) });
};

export const evidenceVerify: Handler<'evidence_verify'> = ({ file }, { ports }) => verifyEvidence(ports, file);
