// Connects the control plane to its PostgreSQL: the embedded one, or the server at DATABASE_URL.

import type { Config } from '../../process/config.ts'
import type { Log } from '../../process/log.ts'
import type { EngineState } from '../engine-state.ts'
import { type ControlPlane, openPostgres, type PostgresTarget } from '../postgres/open.ts'
import { startPostgres } from '../postgres/start.ts'
import { oldBinariesVariable } from './find-old-binaries.ts'
import { upgradeCluster } from './upgrade.ts'

const oldestVersion = 150_000

export interface ConnectedPostgres extends ControlPlane {
  target: PostgresTarget
  state(): EngineState
  /** Throws if it cannot be reached or is too old. */
  check(): Promise<void>
  /** Closes the connections, and stops the embedded server. */
  close(): Promise<void>
}

/** The embedded server is running by then; an external one may be unavailable, and is checked. */
export async function connectPostgres(config: Config, log: Log): Promise<ConnectedPostgres> {
  return config.databaseUrl === undefined ? connectChild(config, log) : openServer(config.databaseUrl)
}

async function connectChild(
  { dataFolder, oldPostgresPrograms }: Config,
  log: Log,
): Promise<ConnectedPostgres> {
  const engine = await startPostgres({
    dataFolder,
    log,
    upgrade: upgradeCluster({ dataFolder, log, env: { [oldBinariesVariable]: oldPostgresPrograms } }),
  })
  const target: PostgresTarget = { kind: 'socket', ...engine.connection }
  const controlPlane = openPostgres(target)

  return {
    ...controlPlane,
    target,
    state: () => {
      const state = engine.state()
      return state === 'stopped' ? 'failed' : state
    },
    check: async () => undefined,
    close: async () => {
      await controlPlane.close()
      await engine.stop()
    },
  }
}

/** Opens an external server. Throws with the reason if it cannot be used. */
export async function connectServer(url: string): Promise<ConnectedPostgres> {
  const server = openServer(url)
  try {
    await server.check()
  } catch (error) {
    await server.close()
    throw error
  }
  return server
}

function openServer(url: string): ConnectedPostgres {
  const target: PostgresTarget = { kind: 'url', url }
  const controlPlane = openPostgres(target)
  return {
    ...controlPlane,
    target,
    state: () => 'external',
    async check() {
      const [row] = await controlPlane.sql<{ number: number; text: string }[]>`
        SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS text`
      if (!row || row.number < oldestVersion) {
        throw new Error(`DATABASE_URL names PostgreSQL ${row?.text}; version 15 or newer is needed.`)
      }
    },
  }
}
