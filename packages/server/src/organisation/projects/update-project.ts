import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import { auditedProject, toProject } from './project.ts'

interface ProjectChange {
  id: string
  role: string
  name?: string | undefined
  traceLink?: string | null | undefined
  ifMatch: number | undefined
}

export const updateProject = change(async ({ db }, { id, role, ifMatch, ...wanted }: ProjectChange) => {
  const before = await lockProject(db, id)
  if (!before) throw problem('not-found')
  if (before.managed) throw problem('managed')
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toProject(before, role) })
  }
  const { name = before.name, traceLink = before.traceLink } = wanted
  if (name === before.name && traceLink === before.traceLink) {
    return { reply: toProject(before, role), changes: [] }
  }

  const set = { name, traceLink, version: before.version + 1 }
  await db.update(projects).set(set).where(eq(projects.id, id))
  const after = { ...before, ...set }

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
