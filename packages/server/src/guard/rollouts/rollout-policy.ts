import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { markingConflicts } from '../../release/change-requests/mark-conflicted.ts'
import type { Follow, ReleasePolicy } from '../../release/flags/policy.ts'
import { guardWrite } from './guard-write.ts'
import { endEvidence, refuseLocked, type TouchedRollout, touchedByFlag, touchedBySegment } from './locks.ts'
import { rollBackArchived } from './roll-back-archived.ts'

/** What running rollouts say to changes of flags and segments. */
export const rolloutPolicy: ReleasePolicy = {
  reviewConfig: markingConflicts(guardWrite),
  reviewFlag: async (context, { before, after }, endsEvidenceOf) =>
    ending(context, await touchedByFlag(context.db, before, after), endsEvidenceOf),
  reviewSegment: async (context, { projectId, key }, endsEvidenceOf) =>
    ending(context, await touchedBySegment(context.db, { projectId, segment: key }), endsEvidenceOf),
  beforeArchiving: rollBackArchived,
}

function ending(
  context: ChangeContext,
  touched: readonly TouchedRollout[],
  endsEvidenceOf: readonly string[] | undefined,
): Follow {
  refuseLocked(touched, endsEvidenceOf)
  return () => endEvidence(context, touched)
}
