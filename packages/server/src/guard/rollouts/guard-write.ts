// The effect of running rollouts on saving a configuration: which parts are locked, that turning the flag off
// removes the treatment in the same version, and that ending evidence must be acknowledged.

import { isSame } from '@telltale/core/changes/same'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { completed, draftOf } from '../../release/flags/config-draft.ts'
import type { ReviewedConfig, SavedConfig } from '../../release/flags/policy.ts'
import type { ConfigRow } from '../../release/flags/queries.ts'
import { savedAt } from '../../release/flags/splits.ts'
import {
  endEvidence,
  refuseBroken,
  refuseLocked,
  type TouchedRollout,
  touchedByConfig,
  touchedByPrerequisite,
} from './locks.ts'
import { findRunning, laidBy } from './queries.ts'
import { restartEvidence } from './restart-evidence.ts'
import { stopWithFlag, withoutTreatments } from './stop-with-flag.ts'

/** Throws `guard-running`. The place must be locked. */
export async function guardWrite(
  context: ChangeContext,
  config: ConfigRow,
  { environment, flag, endsEvidenceOf, ...saved }: SavedConfig,
): Promise<ReviewedConfig> {
  const { db } = context
  const draft = completed(saved.draft)
  const before = draftOf(config)
  const running = await findRunning(db, { flagId: flag.id, environmentId: environment.id })

  const isChanged = !isSame(before, draft)
  const beyond = isChanged ? await touchedByPrerequisite(db, { environmentId: environment.id, flag }) : []
  if (!draft.enabled) {
    // Turning off always works: rollouts of dependent flags restart their evidence without acknowledgement.
    return {
      draft: withoutTreatments(draft, running),
      laid: new Map(),
      follow: async () => [
        ...(await stopWithFlag(context, running)),
        ...(await endEvidence(context, beyond)),
      ],
    }
  }
  const touched = touchedByConfig(running, before, draft)
  refuseLocked([...touched, ...beyond], endsEvidenceOf)
  refuseBroken(
    touched.map(({ placed }) => placed),
    draft,
  )
  return {
    draft,
    laid: laidBy(running),
    follow: async (after) => [
      ...(await endOwnEvidence(context, touched, after)),
      ...(await endEvidence(context, beyond)),
    ],
  }
}

async function endOwnEvidence(context: ChangeContext, touched: readonly TouchedRollout[], after: ConfigRow) {
  const changes: EntityChange[] = []
  for (const { placed, parts } of touched) {
    const split = parts.includes('split') ? savedAt(after, placed.row.place) : undefined
    changes.push(
      ...(await restartEvidence(context, placed, { comment: `Changed: ${parts.join(', ')}.`, split })),
    )
  }
  return changes
}

/** For writes of a rollout. Its start and end always create a version, whatever was saved before. */
export async function passOwnWrite(
  { db }: ChangeContext,
  _before: ConfigRow,
  { environment, flag, draft }: SavedConfig,
): Promise<ReviewedConfig> {
  const running = await findRunning(db, { flagId: flag.id, environmentId: environment.id })
  return { draft: completed(draft), laid: laidBy(running), isAlwaysVersion: true, follow: async () => [] }
}
