import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { holdouts } from '../../platform/engines/postgres/holdout-schema.ts'
import { holdoutChange } from './holdout.ts'
import { type HoldoutOf, openHoldout } from './open-holdout.ts'

/** Throws `not-found`, `forbidden`, and `wrong-state` while it runs. */
export const deleteHoldout = change(async (context, of: HoldoutOf) => {
  const before = await openHoldout(context, of)
  if (before.row.state === 'running') throw problem('wrong-state', 'The holdout is running: end it first.')
  await context.db.delete(holdouts).where(eq(holdouts.id, before.row.id))
  return { reply: null, changes: holdoutChange('delete', { project: of.project, before }) }
})
