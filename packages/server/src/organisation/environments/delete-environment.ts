import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { deletedEnvironments } from '../../platform/engines/postgres/retention-schema.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { auditedEnvironment } from './environment.ts'
import { lockEnvironment } from './queries.ts'

interface EnvironmentDeletion {
  project: { id: string; key: string }
  env: string
  confirm: string
}

/** Deletes an environment with everything in it; `confirm` is its key, typed as confirmation. */
export const deleteEnvironment = change(
  async ({ db, now }, { project, env, confirm }: EnvironmentDeletion) => {
    const before = await lockEnvironment(db, { projectId: project.id, key: env })
    if (before.managed) throw problem('managed')
    if (confirm !== env) {
      throw problem('invalid-request', {
        errors: [{ pointer: '?confirm', message: 'must be the key of the environment' }],
      })
    }

    // The telemetry store may be unavailable, so the nightly cleanup deletes its data.
    await db.insert(deletedEnvironments).values({ id: before.id, deletedAt: now }).onConflictDoNothing()
    await db.delete(environments).where(eq(environments.id, before.id))
    return {
      reply: null,
      changes: [
        {
          action: 'environment.delete',
          entity: { kind: 'environment', id: before.id, name: before.key },
          project,
          environment: before,
          before: auditedEnvironment(before),
        },
      ],
    }
  },
)
