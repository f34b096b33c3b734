import type { HoldoutResults } from '@telltale/core/contract/holdouts'
import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { holdoutChange, toHoldout } from './holdout.ts'
import { type HoldoutOf, openHoldout } from './open-holdout.ts'

interface End extends HoldoutOf {
  /** Read before anything is locked. */
  results: HoldoutResults
}

/** Keeps the results; its users get the flags like all others. Throws `not-found`, `forbidden` and `wrong-state`. */
export const endHoldout = change(async (context, { results, ...of }: End) => {
  const { db, now, actor } = context
  const before = await openHoldout(context, of)
  if (before.row.state !== 'running') throw problem('wrong-state', 'The holdout is ended.')
  const set = { state: 'ended' as const, results, endedBy: actor.name, endedAt: now, updatedAt: now }
  await db.update(holdouts).set(set).where(eq(holdouts.id, before.row.id))
  const after = { ...before, row: { ...before.row, ...set } }
  return {
    reply: await toHoldout(db, after),
    changes: holdoutChange('end', { project: of.project, before, after }),
  }
})
