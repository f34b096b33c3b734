import { problem } from '@telltale/core/errors'
import type { ProjectRole } from '@telltale/core/permissions'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { refuseProtected, resolveConfigRef } from '../../release/flags/config-ref.ts'
import { lockRollout } from './queries.ts'
import { rolloutChange } from './store-turn.ts'

interface RolloutRef {
  project: { id: string; key: string }
  role: ProjectRole
  id: string
}

/** Only drafts can be deleted; a started rollout is kept with its log. */
export const deleteRollout = change(async ({ db }, { project, role, id }: RolloutRef) => {
  const before = await lockRollout(db, project.id, id)
  const env = before.environment.key
  const { environment } = await resolveConfigRef(db, { project, env, flag: before.flag.key })
  refuseProtected(environment, role)
  if (before.row.startedAt !== null) throw problem('wrong-state', `The rollout is ${before.row.state}.`)
  await db.delete(rollouts).where(eq(rollouts.id, id))
  return { reply: null, changes: [rolloutChange('delete', { before })] }
})
