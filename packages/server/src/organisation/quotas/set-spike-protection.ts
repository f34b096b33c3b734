import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { lockEnvironment } from '../environments/queries.ts'

interface ProtectionChange {
  project: { id: string; key: string }
  env: string
  enabled: boolean
}

/** Turned off, a running spike is lifted by the next look. */
export const setSpikeProtection = change(async ({ db }, { project, env, enabled }: ProtectionChange) => {
  const environment = await lockEnvironment(db, { projectId: project.id, key: env })
  const before = environment.spikeProtection
  if (before === enabled) return { reply: { enabled }, changes: [] }
  await db.update(environments).set({ spikeProtection: enabled }).where(eq(environments.id, environment.id))
  return {
    reply: { enabled },
    changes: [
      {
        action: 'environment.protect-from-spikes',
        entity: { kind: 'environment', id: environment.id, name: environment.name },
        project,
        environment,
        before: { spikeProtection: before },
        after: { spikeProtection: enabled },
      },
    ],
  }
})
