import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { checkMayChange, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { lockRollout } from './queries.ts'
import { rolloutChange } from './store-turn.ts'

interface RolloutRef {
  project: { id: string; key: string }
  grant: Grant
  id: string
}

/** Only drafts can be deleted; a started rollout is kept with its log. */
export const deleteRollout = change(async ({ db }, { project, grant, id }: RolloutRef) => {
  const before = await lockRollout(db, project.id, id)
  const env = before.environment.key
  const { environment } = await resolveConfigRef(db, { project, env, flag: before.flag.key })
  checkMayChange(environment, grant)
  if (before.row.startedAt !== null) throw problem('wrong-state', `The rollout is ${before.row.state}.`)
  await db.delete(rollouts).where(eq(rollouts.id, id))
  return { reply: null, changes: [rolloutChange('delete', { before })] }
})
