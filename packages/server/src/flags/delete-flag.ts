import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../engines/postgres/change.ts'
import { flags } from '../engines/postgres/schema.ts'
import { lockProject } from '../projects/queries.ts'
import { auditedFlag } from './flag.ts'
import { findDependents, getFlag } from './queries.ts'

interface FlagDeletion {
  project: { id: string; key: string }
  key: string
  confirm: string
}

/** Deletes an archived flag; `confirm` is its key, typed out. */
export const deleteFlag = change(async ({ db }, { project, key, confirm }: FlagDeletion) => {
  await lockProject(db, project.id)
  const before = await getFlag(db, project.id, key)
  if (before.managed) throw problem('managed')
  if (confirm !== key) {
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
