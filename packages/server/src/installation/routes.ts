import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../http/route.ts'
import { toUser } from '../users/user.ts'
import { completeSetup } from './complete-setup.ts'
import { makeOwnProject, ownActor } from './make-own-project.ts'
import { databaseFacts, findInstallation } from './queries.ts'
import { degradations } from './readiness.ts'
import { telemetryFacts } from './telemetry-facts.ts'

export const installationRoutes: Handlers<Calls['installation']> = {
  getSetup: async ({ db }) => ({ done: (await findInstallation(db))?.setupCode === null }),

  completeSetup: async ({ db, config }, { body, origin, userAgent, cookie }) => {
    const actor = { kind: 'user', id: null, name: body.owner.name } as const
    const { user, session } = await completeSetup(db, { ...origin, actor }, { ...body, userAgent })
    cookie.set(session)
    if (config.ownProject === 'on') await makeOwnProject(db, { ...origin, actor: ownActor }, undefined)
    return { user: toUser(user) }
  },

  getInstallation: async (services) => ({
    version: services.version,
    node: process.version,
    startedAt: services.startedAt.toISOString(),
    publicUrl: services.config.publicUrl?.origin ?? null,
    mail: services.mail.configured,
    engines: {
      postgres: { state: services.postgresState(), ...(await databaseFacts(services.db)) },
      clickhouse: {
        kind: services.config.clickhouseUrl === undefined ? 'embedded' : 'external',
        ...(await telemetryFacts(services.telemetry)),
      },
    },
    lastBackupAt: services.lastBackupAt()?.toISOString() ?? null,
    degraded: (await degradations(services)).map(({ part }) => part),
  }),
}
