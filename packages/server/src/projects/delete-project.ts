import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../engines/postgres/change.ts'
import { projects } from '../engines/postgres/schema.ts'
import { auditedProject } from './project.ts'
import { findProject } from './queries.ts'

/** Deletes a project with everything in it; `confirm` is its key, typed out. */
export const deleteProject = change(async ({ db }, { key, confirm }: { key: string; confirm: string }) => {
  const before = await findProject(db, key)
  if (!before) throw problem('not-found')
  if (before.managed) throw problem('managed')
  if (confirm !== key) {
    throw problem('invalid-request', {
      errors: [{ pointer: '?confirm', message: 'must be the key of the project' }],
    })
  }

  await db.delete(projects).where(eq(projects.id, before.id))
  return {
    reply: null,
    changes: [
      {
        action: 'project.delete',
        entity: { kind: 'project', id: before.id, name: before.key },
        project: before,
        before: auditedProject(before),
      },
    ],
  }
})
