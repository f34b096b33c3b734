import { problem } from '@telltale/core/errors'
import type { ProjectRole } from '@telltale/core/permissions'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import { auditedProject, toProject } from './project.ts'

interface ProjectChange {
  id: string
  role: ProjectRole
  name?: string | undefined
  ifMatch: number | undefined
}

export const updateProject = change(async ({ db }, { id, role, name, ifMatch }: ProjectChange) => {
  const before = await lockProject(db, id)
  if (!before) throw problem('not-found')
  if (before.managed) throw problem('managed')
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toProject(before, role) })
  }
  if (name === undefined || name === before.name) return { reply: toProject(before, role), changes: [] }

  const after = { ...before, name, version: before.version + 1 }
  await db.update(projects).set({ name: after.name, version: after.version }).where(eq(projects.id, id))

  return {
    reply: toProject(after, role),
    changes: [
      {
        action: 'project.update',
        entity: { kind: 'project', id, name: before.key },
        project: before,
        before: auditedProject(before),
        after: auditedProject(after),
      },
    ],
  }
})
