import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import type { Handlers } from '../http/route.ts'
import { toUser } from '../users/user.ts'
import { completeSetup } from './complete-setup.ts'
import { makeOwnProject, ownActor } from './make-own-project.ts'
import { publicOrigin } from './public-origin.ts'
import { databaseFacts, findInstallation } from './queries.ts'
import { degradations } from './readiness.ts'
import { telemetryFacts } from './telemetry-facts.ts'
import { updateInstallation } from './update-installation.ts'

export const installationRoutes: Handlers<Calls['installation']> = {
  getSetup: async ({ db, config }) => ({
    done: (await findInstallation(db))?.setupCode === null,
    asksForPublicUrl: config.publicUrl === undefined,
  }),

  completeSetup: async ({ db, config }, { body, origin, userAgent, cookie }) => {
    const actor = { kind: 'user', id: null, name: body.owner.name } as const
    const { user, session } = await completeSetup(db, { ...origin, actor }, { ...body, userAgent })
    cookie.set(session)
    if (config.ownProject === 'on') await makeOwnProject(db, { ...origin, actor: ownActor }, undefined)
    return { user: toUser(user) }
  },

  updateInstallation: async (services, { origin, body }) => {
    if (services.config.publicUrl !== undefined) {
      throw problem('managed', 'TELLTALE_PUBLIC_URL sets the public address of this installation.')
    }
    await updateInstallation(services.db, origin, body)
    return { publicUrl: (await publicOrigin(services)) ?? null }
  },

  getInstallation: async (services) => {
    const found = await degradations(services)
    return {
      version: services.version,
      node: process.version,
      startedAt: services.startedAt.toISOString(),
      publicUrl: (await publicOrigin(services)) ?? null,
      publicUrlIsSetting: services.config.publicUrl !== undefined,
      mail: services.mail.configured,
      engines: {
        postgres: { state: services.postgresState(), ...(await databaseFacts(services.db)) },
        clickhouse: {
          kind: services.config.clickhouseUrl === undefined ? 'embedded' : 'external',
          ...(await telemetryFacts(services.telemetry)),
        },
      },
      lastBackupAt: services.lastBackupAt()?.toISOString() ?? null,
      degraded: found.map(({ part }) => part),
      degradations: found,
    }
  },
}
