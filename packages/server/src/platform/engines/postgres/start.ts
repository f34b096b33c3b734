// The embedded PostgreSQL, as a child process on a cluster in the data folder. It is durable, reachable only through a
// private socket with a password, restarted when it exits, and stopped within five seconds. The caller holds the data
// folder's lock.
import { readdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPrivateFolder } from '../../data-folder/create-private-folder.ts'
import { errorCode } from '../../data-folder/error-code.ts'
import { type DataFolderLock, lockDataFolder } from '../../data-folder/lock.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import { retryPause } from '../../process/retry-pause.ts'
import type { EngineLog } from '../engine-log.ts'
import { type ChildState, supervise } from '../supervise.ts'
import { findPackagedBinaries, type PostgresBinaries, prepareBinaries } from './binaries.ts'
import { type ClusterHome, findClusterHome } from './cluster-home.ts'
import { findClusterName, nameCluster } from './cluster-processes.ts'
import { initialiseCluster } from './initialise-cluster.ts'
import { type ClusterChild, type ClusterLaunch, launchCluster } from './launch-cluster.ts'
import { createPassword, readPassword } from './password.ts'
import { resetPassword } from './reset-password.ts'
import { isRoot } from './run-user.ts'
import { createSocketFolder, removeSocketFolder, restoreSocketFolder, socketPort } from './socket-folder.ts'
import { endLeftovers, stopOrphans } from './stop-orphans.ts'
import {
  type PostgresConnection,
  PostgresDidNotStart,
  PostgresRefusesPassword,
  waitUntilReady,
} from './wait-until-ready.ts'

export const username = 'telltale'
const database = 'telltale'
const currentMajor = 18
export const systemStateFolder = '/var/lib/telltale'
/** Processes of a killed server end within moments; until then their shared memory blocks a start. */
const mostFirstStarts = 8

export type PostgresUpgrade = (cluster: { clusterFolder: string; fromMajor: number }) => Promise<void>

export type PostgresOptions = {
  dataFolder: string
  log: EngineLog
  onStateChange?: (state: ChildState) => void
  /** Upgrades the cluster of an older major version in place. */
  upgrade?: PostgresUpgrade
  /** The folder for files that PostgreSQL's user must be able to access and that cannot be in the data folder. */
  stateFolder?: string
}

export type EmbeddedPostgres = {
  connection: PostgresConnection
  state(): ChildState
  pid(): number | undefined
  stop(): Promise<void>
}

export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  await createPrivateFolder(options.dataFolder)
  const dataFolder = await realpath(options.dataFolder)
  const stateFolder = options.stateFolder ?? (isRoot() ? systemStateFolder : dataFolder)

  const home = await findClusterHome(dataFolder, stateFolder)
  const homeLock = home.isOutside ? await lockHome(home, dataFolder, options.log) : undefined
  try {
    return await startIn(home, { ...options, dataFolder, stateFolder }, homeLock)
  } catch (error) {
    await homeLock?.release()
    throw error
  }
}

/** A copied data folder points to the original's cluster; the lock keeps the two servers apart. */
async function lockHome(home: ClusterHome, dataFolder: string, log: EngineLog): Promise<DataFolderLock> {
  log.info(
    { clusterFolder: home.clusterFolder },
    `PostgreSQL runs as user id ${home.user?.uid ?? process.getuid?.()}, which cannot enter ${dataFolder}: ` +
      `its files are in ${home.clusterFolder} instead. Back up both folders.`,
  )
  return lockDataFolder(home.folder)
}

type Settled = PostgresOptions & { stateFolder: string }

async function startIn(
  home: ClusterHome,
  { dataFolder, stateFolder, log, ...options }: Settled,
  homeLock: DataFolderLock | undefined,
): Promise<EmbeddedPostgres> {
  const { user, clusterFolder } = home
  const binaries = await prepareBinaries({
    packaged: await findPackagedBinaries(),
    copyFolder: stateFolder,
    ...(user && { user }),
  })
  // Before a cluster is created: an orphan of a deleted one would write to the new one's files.
  await stopOrphans({ clusterFolder, clusterName: await findClusterName(clusterFolder), log })
  const found = await makeCluster(home, dataFolder, binaries)
  await requireCurrent(clusterFolder, options.upgrade)
  // Resolved again: an upgrade has replaced the folder.
  const cluster = { clusterFolder, clusterName: await nameCluster(clusterFolder), log }

  const socketFolder = await createSocketFolder(user)
  const launch: ClusterLaunch = { ...cluster, socketFolder, binaries, user }
  const release = async () => {
    await endLeftovers(cluster)
    await removeSocketFolder(socketFolder)
    await homeLock?.release()
  }

  const { first, connection } = await enter(launch, found, dataPaths(dataFolder).postgresPassword).catch(
    async (error: unknown) => {
      await removeSocketFolder(socketFolder)
      throw error
    },
  )
  const supervisor = supervise({
    engine: 'postgres',
    title: 'PostgreSQL',
    first,
    log,
    onStateChange: options.onStateChange,
    async prepare() {
      await stopOrphans(cluster)
      await restoreSocketFolder(socketFolder, user)
    },
    launch: () => launchCluster(launch),
    untilReady: (child) => waitUntilReady(child, connection),
  })
  let stopped: Promise<void> | undefined
  return {
    connection,
    state: supervisor.state,
    pid: supervisor.pid,
    stop() {
      stopped ??= supervisor.stop().then(release)
      return stopped
    },
  }
}

/** With the password in its file, or a new one if that is lost or wrong. */
async function enter(launch: ClusterLaunch, found: string | undefined, file: string) {
  const place = { host: launch.socketFolder, port: socketPort, username, database }
  if (found !== undefined) {
    const connection = { ...place, password: found }
    try {
      return { first: await startFirst(launch, connection), connection }
    } catch (error) {
      if (!(error instanceof PostgresRefusesPassword)) throw error
    }
  }
  const connection = { ...place, password: await resetPassword(launch, { ...place, file }) }
  return { first: await startFirst(launch, connection), connection }
}

/** The password is written first: a cluster without one could not be opened. */
async function makeCluster(
  home: ClusterHome,
  dataFolder: string,
  binaries: PostgresBinaries,
): Promise<string | undefined> {
  const { postgresPassword } = dataPaths(dataFolder)
  const found = await readPassword(postgresPassword)
  // A folder whose content was deleted is initialized again.
  if (home.exists && (await readdir(home.clusterFolder)).length > 0) return found
  const password = found ?? (await createPassword(postgresPassword))
  await initialiseCluster({
    binaries,
    clusterFolder: home.clusterFolder,
    user: home.user,
    username,
    password,
  })
  return password
}

async function requireCurrent(clusterFolder: string, upgrade: PostgresUpgrade | undefined): Promise<void> {
  const fromMajor = await readMajor(clusterFolder)
  if (fromMajor === currentMajor) return
  if (fromMajor < currentMajor) await upgrade?.({ clusterFolder, fromMajor })

  const major = await readMajor(clusterFolder)
  if (major === currentMajor) return
  throw new Error(
    `${clusterFolder} is a cluster of PostgreSQL ${major}, and this server brings PostgreSQL ${currentMajor}. ` +
      'Start the version of Telltale that made it, or set DATABASE_URL.',
  )
}

async function readMajor(clusterFolder: string): Promise<number> {
  try {
    return Number(await readFile(join(clusterFolder, 'PG_VERSION'), 'utf8'))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new PostgresDidNotStart(
      `${clusterFolder} holds no cluster (PG_VERSION is missing). Put its files back, or move the folder away to begin with an empty one`,
      [],
    )
  }
}

/** A process that exited because the disk is full is returned: its supervisor restarts it until there is space. */
async function startFirst(launch: ClusterLaunch, connection: PostgresConnection): Promise<ClusterChild> {
  for (let failures = 0; ; failures++) {
    const child = launchCluster(launch)
    try {
      await waitUntilReady(child, connection)
      return child
    } catch (error) {
      await child.stop()
      if (isOutOfRoom(error)) {
        launch.log.error({ engine: 'postgres' }, 'PostgreSQL cannot start on a full disk: trying again')
        return child
      }
      if (!isHeldByPredecessor(error) || failures === mostFirstStarts) throw error
      await pause(retryPause(failures))
    }
  }
}

function isOutOfRoom(error: unknown): boolean {
  if (!(error instanceof PostgresDidNotStart)) return false
  return error.lines.some((line) => /No space left on device|Disk quota exceeded/.test(line))
}

function isHeldByPredecessor(error: unknown): boolean {
  if (!(error instanceof PostgresDidNotStart)) return false
  return error.lines.some((line) =>
    /shared memory block .* still in use|lock file ".*" already exists/.test(line),
  )
}
