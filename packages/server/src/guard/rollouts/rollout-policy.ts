import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { markingConflicts } from '../../release/change-requests/mark-conflicted.ts'
import type { Follow, ReleasePolicy } from '../../release/flags/policy.ts'
import { carryOut } from './carry-out.ts'
import { guardWrite } from './guard-write.ts'
import { endEvidence, refuseLocked, type TouchedRollout, touchedByFlag, touchedBySegment } from './locks.ts'
import { findRunning } from './queries.ts'
import { personOf } from './restart-evidence.ts'
import { turnOfFlag } from './stop-with-flag.ts'

/** The rules of running rollouts for changes of flags and segments. */
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

/** Rolls back every running rollout of a flag that is archived, in all environments. The project must be locked. */
async function rollBackArchived(context: ChangeContext, flagId: string): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const placed of await findRunning(context.db, { flagId })) {
    const turn = turnOfFlag(context, placed, 'archived')
    const done = await carryOut(context, placed, { turn, by: personOf(context.actor) })
    changes.push(...done.changes)
  }
  return changes
}
