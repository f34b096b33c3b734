import { isDeepStrictEqual } from 'node:util'
import type { BodyOf } from '@telltale/core/contract/call'
import type { updateHoldout as updateHoldoutCall } from '@telltale/core/contract/holdouts'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { refuseUnproposed } from '../../release/flags/config-ref.ts'
import { holdoutChange, toHoldout } from './holdout.ts'
import { type HoldoutOf, openHoldout } from './open-holdout.ts'
import { refuseEndless } from './refuse-endless.ts'

interface HoldoutUpdate extends HoldoutOf {
  given: BodyOf<typeof updateHoldoutCall>
}

/** Throws `not-found`, `forbidden` and `invalid-experiment`. */
export const updateHoldout = change(async (context, { given, ...of }: HoldoutUpdate) => {
  const { db, now } = context
  const before = await openHoldout(context, of)
  const { name = before.row.name, description = before.row.description, days = before.row.days } = given
  const { whenOver = before.row.whenOver } = given
  const set = { name, description, days, whenOver }
  refuseEndless(set)
  if (isDeepStrictEqual({ ...before.row, ...set }, before.row))
    return { reply: await toHoldout(db, before), changes: [] }
  // They decide when it ends, and what follows.
  if (days !== before.row.days || whenOver !== before.row.whenOver) refuseUnproposed(before.place, of.grant)
  const after = { ...before, row: { ...before.row, ...set, updatedAt: now } }
  await db.update(holdouts).set(after.row).where(eq(holdouts.id, after.row.id))
  return {
    reply: await toHoldout(db, after),
    changes: holdoutChange('update', { project: of.project, before, after }),
  }
})
