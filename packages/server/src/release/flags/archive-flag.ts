import { problem } from '@telltale/core/errors'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'
import { auditedFlag, toFlag } from './flag.ts'
import type { ReleasePolicy } from './policy.ts'
import { findDependents, getFlag } from './queries.ts'
import { refuseProtectedUse } from './refuse-protected-use.ts'

interface FlagRef {
  policy: Pick<ReleasePolicy, 'beforeArchiving'>
  project: { id: string; key: string }
  grant: Grant
  key: string
}

/** Removes a flag from all rule sets, unless it is a prerequisite of an active flag. */
export const archiveFlag = change(async (context, { policy, project, grant, key }: FlagRef) => {
  const { db, now } = context
  await lockProject(db, project.id)
  const before = await getFlag(db, project.id, key)
  if (before.managed) throw problem('managed')
  if (before.archivedAt !== null) return { reply: toFlag(before), changes: [] }
  await refuseProtectedUse(db, before, grant)

  const dependents = await findDependents(db, project.id, key)
  const active = dependents.filter(({ flag }) => flag.archivedAt === null)
  if (active.length > 0) {
    const places = active.map(({ flag, env }) => `"${flag.key}" in ${env}`)
    throw problem('in-use', `It is a prerequisite of ${places.join(', ')}.`)
  }

  // Before archiving, because a rollback writes a version of its configuration.
  const rolledBack = await policy.beforeArchiving(context, before.id)
  const after = { ...before, archivedAt: now, version: before.version + 1 }
  await db.update(flags).set(after).where(eq(flags.id, before.id))
  return {
    reply: toFlag(after),
    changes: [
      ...rolledBack,
      {
        action: 'flag.archive',
        entity: { kind: 'flag', id: before.id, name: before.key },
        project,
        before: auditedFlag(before),
        after: auditedFlag(after),
      },
    ],
  }
})
