// The embedded telemetry engine, as a child process with its own folder. It is reachable only on loopback with a random
// password unless it is shared, restarted when it exits, and stopped within five seconds. Its failures never end the
// server. The caller holds the data folder's lock.
import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { createPrivateFolder } from '../../data-folder/create-private-folder.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import type { EngineLog } from '../engine-log.ts'
import { type ChildState, supervise } from '../supervise.ts'
import { onlyFromDisk } from './damaged-parts.ts'
import type { EngineAddress, Launch, Ready } from './engine/launch-line.ts'
import { launchEngine } from './launch-engine.ts'
import type { ClickhouseTarget } from './open.ts'

const title = 'The telemetry engine'
const passwordBytes = 24

type ClickhouseOptions = {
  dataFolder: string
  log: EngineLog
  onStateChange?: (state: ChildState) => void
  /** The engine's memory limit; by default half of the machine's memory. */
  memoryBytes?: number | undefined
  /** For an engine shared by several servers; by default a free port on loopback and a random password. */
  shared?: { address: EngineAddress; username: string; password: string }
  /** Cancels the first start. */
  signal?: AbortSignal
}

export type EmbeddedClickhouse = {
  /** Changes with every restart: read it before each use. */
  target(): ClickhouseTarget
  state(): ChildState
  pid(): number | undefined
  /** Parts that the engine could not read at its last start. */
  brokenParts(): string[]
  /** Restarts an engine that runs and does not answer. */
  kill(): void
  stop(): Promise<void>
}

export async function startClickhouse(options: ClickhouseOptions): Promise<EmbeddedClickhouse> {
  const { log, memoryBytes, signal } = options
  signal?.throwIfAborted()
  const launch: Launch = {
    ...(await makeFolders(options.dataFolder)),
    username: options.shared?.username ?? 'telltale',
    password: options.shared?.password ?? createEnginePassword(),
    memoryBytes,
    address: options.shared?.address,
  }
  let ready: Ready = { port: 0, brokenParts: [] }
  const untilReady = async (child: ReturnType<typeof launchEngine>) => {
    ready = await child.untilReady()
    if (ready.brokenParts.length === 0) return
    log.error(
      { engine: 'clickhouse', parts: ready.brokenParts },
      `${title} detached unreadable parts. ${onlyFromDisk}`,
    )
  }

  const first = launchEngine(launch, log)
  const giveUp = () => void first.stop()
  signal?.addEventListener('abort', giveUp)
  try {
    await untilReady(first)
  } catch (error) {
    await first.stop()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
  const supervisor = supervise({
    engine: 'clickhouse',
    title,
    first,
    log,
    onStateChange: options.onStateChange,
    prepare: async () => undefined,
    launch: () => launchEngine(launch, log),
    untilReady,
  })
  const { username, password } = launch
  return {
    target: () => ({ url: `http://127.0.0.1:${ready.port}`, username, password }),
    state: supervisor.state,
    pid: supervisor.pid,
    brokenParts: () => ready.brokenParts,
    kill() {
      const pid = supervisor.pid()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    },
    stop: supervisor.stop,
  }
}

export const createEnginePassword = () => randomBytes(passwordBytes).toString('base64url')

async function makeFolders(dataFolder: string): Promise<{ folder: string; backupFolder: string }> {
  await createPrivateFolder(dataFolder)
  const { telemetry, backups } = dataPaths(await realpath(dataFolder))
  await createPrivateFolder(telemetry)
  return { folder: telemetry, backupFolder: backups }
}
