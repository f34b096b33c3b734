import { problem } from '@telltale/core/errors'
import { eq, sql } from 'drizzle-orm'
import { findProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { deletedEnvironments } from '../../platform/engines/postgres/retention-schema.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import { auditedProject } from './project.ts'

/** Deletes a project with everything in it; `confirm` is its key, typed as confirmation. */
export const deleteProject = change(
  async ({ db, now }, { key, confirm }: { key: string; confirm: string }) => {
    const before = await findProject(db, key)
    if (!before) throw problem('not-found')
    if (before.managed) throw problem('managed')
    if (confirm !== key) {
      throw problem('invalid-request', {
        errors: [{ pointer: '?confirm', message: 'must be the key of the project' }],
      })
    }

    // The telemetry store may be unavailable, so the nightly cleanup deletes its data.
    const inside = db
      .select({
        id: environments.id,
        deletedAt: sql<Date>`${now.toISOString()}::timestamptz`.as('deleted_at'),
      })
      .from(environments)
      .where(eq(environments.projectId, before.id))
    await db.insert(deletedEnvironments).select(inside).onConflictDoNothing()
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
  },
)
