import type { HoldoutResults } from '@telltale/core/contract/holdouts'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { refuseUnproposed } from '../../release/flags/config-ref.ts'
import { holdoutChange, toHoldout } from './holdout.ts'
import { type HoldoutOf, openHoldout } from './open-holdout.ts'
import type { PlacedHoldout } from './queries.ts'

interface End extends HoldoutOf {
  /** Read before anything is locked. */
  results: HoldoutResults
}

/** Keeps the results; its users get the flags like all others. Throws `not-found`, `forbidden` and `wrong-state`. */
export const endHoldout = change(async (context, { results, ...of }: End) => {
  const before = await openHoldout(context, of)
  if (before.row.state !== 'running') throw problem('wrong-state', 'The holdout is ended.')
  refuseUnproposed(before.place, of.grant)
  const after = await writeEnd(context, before, results)
  return {
    reply: await toHoldout(context.db, after),
    changes: holdoutChange('end', { project: of.project, before, after }),
  }
})

/** The project must be locked. */
export async function writeEnd(
  { db, now, actor }: ChangeContext,
  before: PlacedHoldout,
  results: HoldoutResults,
): Promise<PlacedHoldout> {
  const set = { state: 'ended' as const, results, endedBy: actor.name, endedAt: now, updatedAt: now }
  await db.update(holdouts).set(set).where(eq(holdouts.id, before.row.id))
  return { ...before, row: { ...before.row, ...set } }
}
