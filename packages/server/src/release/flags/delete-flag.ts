import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'
import { findEvaluatedPeriods } from './evaluation-queries.ts'
import { auditedFlag } from './flag.ts'
import { findDependents, getFlag } from './queries.ts'
import { refuseOwnerChange } from './refuse-owner-change.ts'

interface FlagDeletion {
  project: { id: string; key: string }
  grant: Grant
  key: string
  confirm: string | undefined
}

/**
 * Deletes an archived flag that is no longer evaluated, or any archived flag if its key is typed as
 * confirmation.
 */
export const deleteFlag = change(async ({ db, now }, { project, grant, key, confirm }: FlagDeletion) => {
  await lockProject(db, project.id)
  const before = await getFlag(db, project.id, key)
  if (before.managed) throw problem('managed')
  if (confirm !== undefined && confirm !== key) {
    throw problem('invalid-request', {
      errors: [{ pointer: '?confirm', message: 'must be the key of the flag' }],
    })
  }
  if (before.archivedAt === null) throw problem('in-use', 'The flag is active: archive it first.')

  const dependents = await findDependents(db, project.id, key)
  if (dependents.length > 0) {
    const places = dependents.map(({ flag, env }) => `"${flag.key}" in ${env}`)
    throw problem('in-use', `It is a prerequisite of ${places.join(', ')}.`)
  }
  if (confirm === undefined) await refuseEvaluated(db, before.id, now)
  // A new flag with the same key would have no owner.
  await refuseOwnerChange(db, { before, after: { owners: [], ownerTeams: [] } }, grant)
  await db.delete(flags).where(eq(flags.id, before.id))
  return {
    reply: null,
    changes: [
      {
        action: 'flag.delete',
        entity: { kind: 'flag', id: before.id, name: before.key },
        project,
        before: auditedFlag(before),
      },
    ],
  }
})

async function refuseEvaluated(db: Queryable, flagId: string, now: Date): Promise<void> {
  const periods = await findEvaluatedPeriods(db, [flagId])
  const last = Math.max(...periods.map(({ lastAt }) => lastAt.getTime()))
  if (now.getTime() - last >= limits.flagDeletableAfter) return

  const at = new Date(last).toISOString()
  throw problem('in-use', `It was evaluated at ${at}. Wait one week after that, or confirm with its key.`)
}
