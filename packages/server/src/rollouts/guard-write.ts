// What running rollouts mean for somebody who saves a configuration: which parts are locked, that the off switch takes the
// treatment back in the same version, and that whoever ends their evidence has said so.

import { isSame } from '@telltale/core/changes/same'
import type { FlagConfigDraft, Split } from '@telltale/core/contract/flag-config'
import type { ChangeContext, EntityChange } from '../engines/postgres/change.ts'
import { completed, draftOf } from '../flags/config-draft.ts'
import type { ConfigRow } from '../flags/queries.ts'
import { savedAt } from '../flags/splits.ts'
import { beginAnew } from './begin-anew.ts'
import {
  endEvidence,
  refuseBroken,
  refuseLocked,
  type TouchedRollout,
  touchedByConfig,
  touchedByPrerequisite,
} from './locks.ts'
import { findRunning, laidBy } from './queries.ts'
import { stopWithFlag, withoutTreatments } from './stop-with-flag.ts'

export interface GuardedWrite {
  /** What is saved. */
  draft: FlagConfigDraft
  /** What goes on being served in the place of what is saved, by place. */
  laid: ReadonlyMap<string, Split>
  /** What rollouts do about it once it is saved. */
  follow(after: ConfigRow): Promise<EntityChange[]>
}

interface SavedConfig {
  environment: { id: string }
  flag: { id: string; key: string }
  draft: FlagConfigDraft
  /** `own`: a rollout writes what it has decided itself. */
  endsEvidenceOf?: readonly string[] | 'own' | undefined
}

/** Throws `guard-running`. The place is locked. */
export async function guardWrite(
  context: ChangeContext,
  config: ConfigRow,
  { environment, flag, endsEvidenceOf, ...saved }: SavedConfig,
): Promise<GuardedWrite> {
  const { db } = context
  const draft = completed(saved.draft)
  const before = draftOf(config)
  const running = await findRunning(db, { flagId: flag.id, environmentId: environment.id })
  if (endsEvidenceOf === 'own') return { draft, laid: laidBy(running), follow: async () => [] }

  const isChanged = !isSame(before, draft)
  const beyond = isChanged ? await touchedByPrerequisite(db, { environmentId: environment.id, flag }) : []
  if (!draft.enabled) {
    // The off switch always works: others who stand on it begin anew unasked.
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
    changes.push(...(await beginAnew(context, placed, { comment: `Changed: ${parts.join(', ')}.`, split })))
  }
  return changes
}
