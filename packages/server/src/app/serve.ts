// One running server: lock, engine, tables, services, HTTP, in this order, and back again.

import { join } from 'node:path'
import { startGuard } from '../guard/looks/guard.ts'
import { rolloutPolicy } from '../guard/rollouts/rollout-policy.ts'
import { hasKeptKeys } from '../organisation/keys/known-keys.ts'
import type { GeneratedKey } from '../organisation/provisioning/provisioning.ts'
import { startHourlyBackups } from '../platform/backups/start-hourly-backups.ts'
import { lockDataFolder } from '../platform/data-folder/lock.ts'
import { dataPaths } from '../platform/data-folder/paths.ts'
import { removeUnfinishedFiles } from '../platform/data-folder/stored-file.ts'
import type { ConnectedTelemetry, TelemetryOptions } from '../platform/engines/clickhouse/connect.ts'
import type { ConnectedPostgres } from '../platform/engines/connect-postgres/connect.ts'
import { listenForChanges } from '../platform/engines/postgres/announcements.ts'
import { lockTelemetryMigrations } from '../platform/engines/postgres/lock-telemetry-migrations.ts'
import { openMail } from '../platform/http/mail.ts'
import { createBackground } from '../platform/process/background.ts'
import { createClosing } from '../platform/process/closing.ts'
import type { Config } from '../platform/process/config.ts'
import type { Log } from '../platform/process/log.ts'
import { ownFolder } from '../platform/process/own-folder.ts'
import { readVersion } from '../platform/process/version.ts'
import { createRefresher } from '../platform/refresher.ts'
import { createEvaluationCounts } from '../release/evaluations/count-evaluations.ts'
import { createIdentityNotes } from '../release/identities/note-identity.ts'
import { type BuiltFolders, createApp } from './app.ts'
import type { Demo } from './demo/demo.ts'
import type { OpenDemo } from './demo/open-demo.ts'
import { makeOwnProject, ownActor } from './make-own-project.ts'
import { prepareControlPlane, tryToPrepare } from './prepare-control-plane.ts'
import { degradations } from './readiness.ts'
import { startRegularWork } from './regular-work.ts'
import type { Services } from './services.ts'
import { openTelemetryServices } from './telemetry-services.ts'

const builtFolder = (name: string) => join(ownFolder, '..', name, 'dist')
const demoFolder = join(ownFolder, '../../demo/dist')
const folders: BuiltFolders = {
  console: builtFolder('console'),
  docs: builtFolder('docs'),
  scripts: builtFolder('sdk'),
  packages: [builtFolder('sdk'), builtFolder('node'), builtFolder('cli')],
}

/** Nobody else pays for it: its code is read when it is asked for. */
async function openDemo(services: Services, demo: Demo | undefined): Promise<OpenDemo> {
  const { openDemo: open } = await import('./demo/open-demo.ts')
  return open({ services, folder: demoFolder, demo })
}

export interface Running {
  /** Where it listens. */
  url: string
  /** The code of `/setup`, while there is no owner. */
  setupCode: string | undefined
  /** What this start made for the setup file. */
  generatedKeys: GeneratedKey[]
  services: Services
  /** Where it was asked for. */
  demo: OpenDemo | undefined
  stop(): Promise<void>
}

export interface ServeOptions {
  config: Config
  log: Log
  clock?: () => Date
  elapsed?: () => number
  /** How to get a PostgreSQL; tests hand in a database of their own. */
  connect: (config: Config, log: Log) => Promise<ConnectedPostgres>
  /** How to get a telemetry store; comes back before it is open. */
  connectTelemetry: (options: TelemetryOptions) => ConnectedTelemetry
  /** Shows keys that can't be shown again, as soon as they are kept: the start may still fail. */
  showKeys?: (keys: GeneratedKey[]) => void
  /** Instead of the demo that was built. */
  demo?: Demo
}

export async function serve({
  config,
  log,
  clock = () => new Date(),
  elapsed = () => performance.now(),
  connect,
  connectTelemetry,
  showKeys = () => undefined,
  demo: given,
}: ServeOptions): Promise<Running> {
  const closing = createClosing(log)
  try {
    const lock = await lockDataFolder(config.dataFolder)
    closing.add('the lock of the data folder', () => lock.release())
    await removeUnfinishedFiles(config.dataFolder)

    const postgres = await connect(config, log)
    closing.add('PostgreSQL', () => postgres.close())
    const version = readVersion()
    const backups = { folder: dataPaths(config.dataFolder).backups, kept: config.backupsKept, version }
    const { setupFile, ownProject } = config
    const preparation = { postgres, backups, setupFile, ownProject, clock, showKeys }
    let prepared = await tryToPrepare(preparation, () => hasKeptKeys(config.dataFolder))

    const withLock = lockTelemetryMigrations(postgres.sql)
    const telemetryStore = connectTelemetry({ config, log, withLock })
    const { telemetry } = telemetryStore
    closing.add('the telemetry store', telemetryStore.close)

    const announcements = await listenForChanges(postgres.target, log)
    closing.add('the announcements', () => announcements.close())
    const mail = openMail(config)
    closing.add('the mail server', () => mail.close())
    const background = createBackground(log)
    closing.add('work in the background', () => background.settled())

    const hourlyBackups = await startHourlyBackups({ ...backups, target: postgres.target, clock, log })
    closing.add('the hourly backups', () => hourlyBackups.stop())

    const { db } = postgres
    const evaluationCounts = createEvaluationCounts({ db, clock, log })
    const identityNotes = createIdentityNotes({ db, announcements, clock, elapsed, config, log })
    if (prepared !== undefined) identityNotes.forgetPrivateTraits()
    closing.add('evaluation counts and identities', async () => {
      await Promise.all([evaluationCounts.stop(), identityNotes.stop()])
    })

    const parts = { config, db, announcements, telemetry, background: background.run, clock, log }
    const collected = await openTelemetryServices(closing, parts)
    const regular = { db, config, mail, announcements, telemetry, clock, log, ...collected }
    closing.add('regular work', startRegularWork(regular))
    const guard = startGuard({ config, db, telemetry, clock, log, intake: collected.intake })
    closing.add('the guard', guard.stop)
    const services: Services = {
      db,
      sql: postgres.sql,
      config,
      log,
      mail,
      announcements,
      startedAt: clock(),
      version,
      clock,
      elapsed,
      postgresState: () => (prepared === undefined ? 'waiting' : postgres.state()),
      telemetry,
      ...collected,
      lastBackupAt: hourlyBackups.lastBackupAt,
      evaluationCounts,
      guard,
      identityNotes,
      policy: rolloutPolicy,
      forgetPrivateTraits: identityNotes.forgetPrivateTraits,
      makeOwnProject: async (origin) => {
        if (ownProject === 'on') await makeOwnProject(db, { ...origin, actor: ownActor }, undefined)
      },
      degradations: () => degradations(services),
      background: background.run,
    }
    if (prepared === undefined) {
      log.warn({}, 'PostgreSQL is unavailable: only flags are served, from the copy on disk')
      const preparing = createRefresher(services, 'preparing the control plane', async () => {
        prepared = await prepareControlPlane(preparation)
        log.info({}, 'PostgreSQL is back')
        identityNotes.forgetPrivateTraits()
      })
      preparing.request()
      closing.add('waiting for PostgreSQL', async () => preparing.stop())
    }
    const demo = config.demo === 'on' ? await openDemo(services, given) : undefined
    const app = await createApp(services, folders, demo)
    closing.add('the HTTP server', () => app.close())
    if (demo !== undefined) closing.add('the demo', demo.stop)
    const url = await app.listen({ port: config.port, host: config.host })
    // Not sooner: on a small machine it would take the time in which flags come up.
    telemetryStore.open()
    demo?.start(url)
    const { setupCode, generatedKeys = [] } = prepared ?? {}
    return { url, setupCode, generatedKeys, services, demo, stop: closing.close }
  } catch (error) {
    await closing.close()
    throw error
  }
}
