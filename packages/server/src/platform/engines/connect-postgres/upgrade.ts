// Upgrades the data folder of an older PostgreSQL: the content of the old cluster is copied to a new one and compared,
// and only then are the two swapped. A failure before that leaves the old cluster unchanged.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { listBackups } from '../../backups/backup-files.ts'
import { copyInto } from '../../backups/copy-into.ts'
import { makeBackup } from '../../backups/make-backup.ts'
import { NothingToBackUp, type WrittenBackup } from '../../backups/write-backup.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import { readVersion } from '../../process/version.ts'
import type { EngineLog } from '../engine-log.ts'
import { findPackagedBinaries, type PostgresBinaries, prepareBinaries } from '../postgres/binaries.ts'
import { nameCluster } from '../postgres/cluster-processes.ts'
import { initialiseCluster } from '../postgres/initialise-cluster.ts'
import { type ClusterChild, launchCluster } from '../postgres/launch-cluster.ts'
import { openPostgres } from '../postgres/open.ts'
import { readPassword } from '../postgres/password.ts'
import type { RunUser } from '../postgres/run-program.ts'
import { findRunUser, isRoot } from '../postgres/run-user.ts'
import { createSocketFolder, removeSocketFolder, socketPort } from '../postgres/socket-folder.ts'
import type { Sql } from '../postgres/sql.ts'
import { type PostgresUpgrade, systemStateFolder, username } from '../postgres/start.ts'
import { stopOrphans } from '../postgres/stop-orphans.ts'
import { waitUntilReady } from '../postgres/wait-until-ready.ts'
import { findOldBinaries, type OldBinariesWanted, oldBinariesVariable } from './find-old-binaries.ts'
import { launchOldCluster } from './launch-old-cluster.ts'
import { completeSwap, finishedCluster, swapClusters, unfinishedCluster } from './swap-clusters.ts'

const minute = 60_000
const day = 24 * 60 * minute

export type UpgradeOptions = {
  dataFolder: string
  log: EngineLog
  env?: Record<string, string | undefined>
  download?: OldBinariesWanted['download']
}

class NoWayToUpgrade extends Error {
  override name = 'NoWayToUpgrade'
}

type Cluster = {
  clusterFolder: string
  fromMajor: number
  dataFolder: string
  user: RunUser | undefined
  password: string
  log: EngineLog
}

export function upgradeCluster({
  dataFolder,
  log,
  env = process.env,
  download,
}: UpgradeOptions): PostgresUpgrade {
  completeSwap(dataFolder)
  return async ({ clusterFolder, fromMajor }) => {
    const paths = dataPaths(dataFolder)
    const user = await findRunUser(clusterFolder)
    const password = await readPassword(paths.postgresPassword)
    if (password === undefined)
      throw new Error(
        `${paths.postgresPassword} is missing, and the upgrade of the database needs it. ` +
          'Start the previous version of Telltale once: it writes the file again.',
      )

    const downloads = join(dataFolder, `postgres-${fromMajor}-binaries`)
    const oldBinaries = await findOldBinaries({
      major: fromMajor,
      folder: downloads,
      user,
      log,
      env,
      ...(download && { download }),
    }).catch(async (error: unknown) => {
      throw await listWaysOut({ fromMajor, backups: paths.backups }, error)
    })
    log.info(
      { clusterFolder, fromMajor },
      `bringing the database from PostgreSQL ${fromMajor} to the current version`,
    )
    await upgrade({ clusterFolder, fromMajor, dataFolder, user, password, log }, oldBinaries)
    await rm(downloads, { recursive: true, force: true })
  }
}

async function upgrade(cluster: Cluster, oldBinaries: PostgresBinaries): Promise<void> {
  const { clusterFolder, fromMajor, log } = cluster
  await removeUnfinished(cluster)
  const backup = await backUpOld(cluster, oldBinaries)
  try {
    await fillNew(cluster, backup)
    const aside = await swapClusters(clusterFolder, fromMajor)
    log.info(
      { backup: backup?.file, aside },
      `the database is upgraded; ${aside} holds the old one and can be deleted`,
    )
  } catch (error) {
    await removeUnfinished(cluster)
    throw error
  }
}

/** Undefined if it is empty: its server never created tables. */
async function backUpOld(cluster: Cluster, binaries: PostgresBinaries): Promise<WrittenBackup | undefined> {
  const { dataFolder } = cluster
  const launch = (socketFolder: string) => launchOldCluster({ ...cluster, binaries, socketFolder })
  return runMeanwhile(cluster, launch, async (sql) => {
    const folder = dataPaths(dataFolder).backups
    const place = { folder, kept: limits.backupsKept, version: readVersion(), now: new Date() }
    return makeBackup(sql, 'before-upgrade', place).catch((error: unknown) => {
      if (error instanceof NothingToBackUp) return undefined
      throw error
    })
  })
}

async function fillNew(cluster: Cluster, backup: WrittenBackup | undefined): Promise<void> {
  const { user, log, password, dataFolder } = cluster
  const clusterFolder = unfinishedCluster(cluster.clusterFolder)
  const binaries = await prepareBinaries({
    packaged: await findPackagedBinaries(),
    copyFolder: isRoot() ? systemStateFolder : dataFolder,
    ...(user && { user }),
  })
  await initialiseCluster({ binaries, clusterFolder, user, username, password })
  if (backup === undefined) return

  const clusterName = await nameCluster(clusterFolder)
  const launch = (socketFolder: string) =>
    launchCluster({ binaries, clusterFolder, clusterName, socketFolder, user, log })
  await runMeanwhile(cluster, launch, (sql) => copyInto(sql, backup))
}

async function runMeanwhile<Result>(
  { user, password }: Cluster,
  launch: (socketFolder: string) => ClusterChild,
  use: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const socketFolder = await createSocketFolder(user)
  const connection = { host: socketFolder, port: socketPort, username, password, database: username }
  const child = launch(socketFolder)
  try {
    await waitUntilReady(child, connection)
    const { sql, close } = openPostgres({ kind: 'socket', ...connection }, { poolSize: 2 })
    try {
      return await use(sql)
    } finally {
      await close()
    }
  } finally {
    await child.stop()
    await removeSocketFolder(socketFolder)
  }
}

/** Left by an interrupted upgrade: it starts again from the old cluster, which is complete. */
async function removeUnfinished({ clusterFolder, log }: Cluster): Promise<void> {
  for (const folder of [unfinishedCluster(clusterFolder), finishedCluster(clusterFolder)]) {
    if (!existsSync(folder)) continue
    await stopOrphans({ clusterFolder: folder, clusterName: await nameCluster(folder), log })
    await rm(folder, { recursive: true, force: true })
  }
}

async function listWaysOut(
  { fromMajor, backups }: { fromMajor: number; backups: string },
  cause: unknown,
): Promise<NoWayToUpgrade> {
  const [newest] = await listBackups(backups)
  const reason = cause instanceof Error ? cause.message : String(cause)
  const ways = [
    `install PostgreSQL ${fromMajor} beside it (on Debian: apt-get install postgresql-${fromMajor})`,
    `set ${oldBinariesVariable} to the folder that holds the program "postgres" of version ${fromMajor}`,
    newest
      ? `move the database's folder aside and run "telltale restore ${newest.file}": that backup is ${age(newest.at)} old`
      : 'start the version of Telltale that made it, and make a backup there (there is none in the data folder)',
  ]
  return new NoWayToUpgrade(
    `The database is one of PostgreSQL ${fromMajor}, whose programs are needed to read it and cannot be had: ${reason}\n` +
      `Nothing was changed. One of these helps:\n${ways.map((way) => `  - ${way}`).join('\n')}`,
    { cause },
  )
}

function age(at: Date): string {
  const minutes = Math.max(0, Math.round((Date.now() - at.getTime()) / minute))
  if (minutes < 120) return `${minutes} minutes`
  return minutes < (2 * day) / minute
    ? `${Math.round(minutes / 60)} hours`
    : `${Math.round((minutes * minute) / day)} days`
}
