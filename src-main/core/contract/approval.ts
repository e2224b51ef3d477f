// A person approves a study: everything it rests on is digested, frozen and sealed. Core rooms left of contract may import it.
import { approvalFile, type ApprovalFile } from '../../../src-protocol/files/approval.ts';
import { refuse } from '../../../src-protocol/refusal.ts';
import type { Ports } from '../../ports.ts';
import { appendLedger } from '../ledger/ledger.ts';
import { digest } from '../provenance/canonical-json.ts';
import { readApprovable } from './approvable.ts';
import { approvalPaths } from './approval-paths.ts';
import { sealApproval } from './approval-seal.ts';
import { refuseWhileInUse } from './approval-in-use.ts';
import { checkLive } from './check-approval.ts';
import { underLock } from './gate-changes.ts';
import type { ApprovalPorts } from './open-approval.ts';
import { isCopyAsApproved } from './take-snapshot.ts';
import { mirrorInExperiments, putInForce } from './write-approval.ts';

export type ApprovePorts = ApprovalPorts & Pick<Ports, 'log'>;

export interface ApproveOptions {
  readonly study: string;
  /** Name of the person. */
  readonly by: string;
  readonly agentsMayStart: boolean;
  /** Digest of the subject that the person was shown; refused when it is another by now. */
  readonly digest?: string;
}

/**
 * Seals an approval into runs/<study>/; asked for twice (two windows at once), it gives the one that stands. Throws RefusalError:
 * gate_missing (with every gate that stands in the way), what loading the study throws (invalid_file, out_of_scope, over_budget, ...),
 * approval_lapsed (another subject was shown), campaign_running, study_finished, damaged.
 */
export async function approve(ports: ApprovePorts, root: string, options: ApproveOptions): Promise<ApprovalFile> {
  return underLock(ports, root, async () => {
    const { study, by } = options;
    const live = await readApprovable(ports, root, study);
    const subjectDigest = digest(live.subject);
    if (options.digest !== undefined && options.digest !== subjectDigest) {
      refuse('approval_lapsed', `Something changed since ${study} was shown; nothing was approved.`, { next: `Look again with \`rlxp approval check ${study}\`, then approve.` });
    }
    const standing = await checkLive(ports, root, study);
    const isCopyRight = await isCopyAsApproved(ports.files, root, live.subject);
    if (standing.ok && isCopyRight && isSameApproval(standing.approval, subjectDigest, options)) return standing.approval;
    const use = await refuseWhileInUse(ports, root, { study, live });
    const approval = await putInForce(ports, root, { study, studyBytes: live.studyBytes, approved: live.values }, async () => {
      const kind = use === 'amended' ? 'amendment' : 'experiment_approved';
      const facts = { digest: subjectDigest, agents_may_start: options.agentsMayStart, files: live.subject.snapshot.length };
      const line = await appendLedger(ports, root, { kind, by, study, facts });
      const unsealed = { digest: subjectDigest, kind: 'person' as const, by, at: line.at, agents_may_start: options.agentsMayStart };
      return approvalFile.parse({ schema: 1, ...unsealed, subject: live.subject, ...sealApproval(await ports.secrets.machineKey(), unsealed) });
    });
    if (use === 'unused' || !isCopyRight) await ports.files.remove(approvalPaths(root, study).snapshot);
    await mirrorInExperiments(ports, root, live.values);
    return approval;
  });
}

function isSameApproval(standing: ApprovalFile, subjectDigest: string, options: ApproveOptions): boolean {
  return standing.kind === 'person' && standing.digest === subjectDigest && standing.agents_may_start === options.agentsMayStart;
}
