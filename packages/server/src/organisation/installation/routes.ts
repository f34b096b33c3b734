import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { publicOrigin } from '../../access/public-origin.ts'
import type { Handlers } from '../../access/route.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Services } from '../../platform/services.ts'
import { toUser } from '../users/user.ts'
import { completeSetup } from './complete-setup.ts'
import { databaseFacts, findInstallation } from './queries.ts'
import { telemetryFacts } from './telemetry-facts.ts'
import { updateInstallation } from './update-installation.ts'

const minute = 60_000

interface InstallationServices extends Services {
  /** Creates the project in which the console monitors itself, if this is enabled. */
  makeOwnProject(origin: Omit<ChangeOrigin, 'actor'>): Promise<void>
}

export const installationRoutes: Handlers<Calls['installation'], InstallationServices> = {
  getSetup: async ({ db, config }) => ({
    done: (await findInstallation(db))?.setupCode === null,
    asksForPublicUrl: config.publicUrl === undefined,
  }),

  completeSetup: async ({ db, makeOwnProject }, { body, origin, userAgent, cookie }) => {
    const actor = { kind: 'user', id: null, name: body.owner.name } as const
    const { user, session } = await completeSetup(db, { ...origin, actor }, { ...body, userAgent })
    cookie.set(session)
    await makeOwnProject(origin)
    return { user: toUser(user) }
  },

  updateInstallation: async (services, { origin, body }) => {
    if (services.config.publicUrl !== undefined && body.publicUrl !== undefined) {
      throw problem('managed', 'TELLTALE_PUBLIC_URL sets the public address of this installation.')
    }
    const updated = await updateInstallation(services.db, origin, body)
    return { ...updated, publicUrl: (await publicOrigin(services)) ?? null }
  },

  getInstallation: async (services) => {
    const found = await services.degradations()
    const row = await findInstallation(services.db)
    return {
      version: services.version,
      node: process.version,
      startedAt: services.startedAt.toISOString(),
      publicUrl: (await publicOrigin(services)) ?? null,
      publicUrlIsSetting: services.config.publicUrl !== undefined,
      mail: services.mail.configured,
      secondFactor: row?.secondFactor ?? 'optional',
      sessionIdleMinutes: (row?.sessionIdle ?? limits.sessionIdle) / minute,
      sessionMaximumMinutes: (row?.sessionMaximum ?? limits.sessionMaximum) / minute,
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
