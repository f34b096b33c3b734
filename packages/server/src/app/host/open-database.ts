// Opens the installation's database for a host command: the server of DATABASE_URL, or the embedded PostgreSQL,
// through the running server's socket or, if no server runs, started for the duration of the command.
import { access, readFile, realpath } from 'node:fs/promises'
import { errorCode } from '../../platform/data-folder/error-code.ts'
import { DataFolderInUse, lockDataFolder } from '../../platform/data-folder/lock.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { connectPostgres, connectServer } from '../../platform/engines/connect-postgres/connect.ts'
import { type ControlPlane, openPostgres } from '../../platform/engines/postgres/open.ts'
import { readPassword } from '../../platform/engines/postgres/password.ts'
import { readPostmasterPid } from '../../platform/engines/postgres/postmaster-pid.ts'
import { socketPort } from '../../platform/engines/postgres/socket-folder.ts'
import { type Config, readConfig } from '../../platform/process/config.ts'
import { createLog } from '../../platform/process/log.ts'
import type { HostWorld } from './world.ts'

export type HostDatabase = Pick<ControlPlane, 'sql' | 'db' | 'close'> & {
  config: Config
  /** Whether a running server may write at the same time. */
  isServed: boolean
}

type Wanted = {
  data: string | undefined
  /** Whether an installation may be created in a folder without one; it is refused otherwise. */
  mayCreate?: boolean
}

export function readHostConfig({ env }: Pick<HostWorld, 'env'>, data: string | undefined): Config {
  // Starting and stopping PostgreSQL matters only if something goes wrong.
  const quiet = { TELLTALE_LOG_LEVEL: 'warn', ...env }
  return readConfig(data === undefined ? [] : ['--data', data], quiet)
}

export async function openDatabase(world: Pick<HostWorld, 'env'>, wanted: Wanted): Promise<HostDatabase> {
  const config = readHostConfig(world, wanted.data)
  if (config.databaseUrl !== undefined) {
    const { sql, db, close } = await connectServer(config.databaseUrl)
    return { sql, db, close, config, isServed: true }
  }
  if (!wanted.mayCreate && (await findClusterFolder(config.dataFolder)) === undefined) {
    throw new Error(
      `There is no installation in ${config.dataFolder}. Name its folder with --data, or set DATABASE_URL.`,
    )
  }
  return openEmbedded(config)
}

async function openEmbedded(config: Config): Promise<HostDatabase> {
  const lock = await lockDataFolder(config.dataFolder).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return undefined
    throw error
  })
  if (lock === undefined) return openServed(config)

  try {
    const { sql, db, close } = await connectPostgres(config, createLog(config.logLevel))
    return {
      sql,
      db,
      config,
      isServed: false,
      close: async () => {
        await close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function openServed(config: Config): Promise<HostDatabase> {
  const clusterFolder = await findClusterFolder(config.dataFolder)
  const running = clusterFolder === undefined ? undefined : await readPostmasterPid(clusterFolder)
  const password = await readPassword(dataPaths(config.dataFolder).postgresPassword)
  if (running?.socketFolder === undefined || password === undefined) {
    throw new Error(`The server in ${config.dataFolder} is starting or stopping. Try again in a moment.`)
  }
  const { sql, db, close } = openPostgres({
    kind: 'socket',
    host: running.socketFolder,
    port: socketPort,
    username: 'telltale',
    password,
    database: 'telltale',
  })
  return { sql, db, close, config, isServed: true }
}

/** In the data folder, or where its pointer file points. */
async function findClusterFolder(dataFolder: string): Promise<string | undefined> {
  const { postgres, postgresLocation } = dataPaths(await realpath(dataFolder).catch(() => dataFolder))
  if (await exists(postgres)) return postgres
  try {
    return dataPaths((await readFile(postgresLocation, 'utf8')).trim()).postgres
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
