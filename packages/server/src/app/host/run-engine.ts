import { lockDataFolder } from '../../platform/data-folder/lock.ts'
import { createEnginePassword, startClickhouse } from '../../platform/engines/clickhouse/start.ts'
import { type Config, readConfig } from '../../platform/process/config.ts'
import { createLog } from '../../platform/process/log.ts'
import { printResult } from './print-result.ts'
import { parseCommand, requireNone, UsageError } from './usage.ts'
import type { HostWorld } from './world.ts'

const passwordVariable = 'TELLTALE_ENGINE_PASSWORD'
const leastPassword = 16

/** Runs only the telemetry engine, for several servers that share it, until it is stopped. */
export async function runEngine(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8123' },
    user: { type: 'string', default: 'telltale' },
  })
  requireNone(positionals)
  const { host, user } = values
  const port = readPort(values.port)
  const password = readPassword(world)
  const { dataFolder, telemetryMemory, logLevel } = readFolderConfig(world, values.data)

  const lock = await lockDataFolder(dataFolder)
  try {
    const engine = await startClickhouse({
      dataFolder,
      memoryBytes: telemetryMemory,
      log: createLog(logLevel),
      shared: { address: { host, port }, username: user, password: password ?? createEnginePassword() },
    })
    const address = new URL(engine.target().url)
    address.hostname = host.includes(':') ? `[${host}]` : host
    address.username = user
    address.password = engine.target().password ?? ''
    if (password !== undefined) address.password = 'PASSWORD'
    const url = `${address.href}telltale`
    printResult(world, {
      isJson: values.json,
      reply: { clickhouseUrl: url },
      lines: ['The telemetry engine is running. Configure servers with', `  CLICKHOUSE_URL=${url}`],
    })
    await world.untilStopSignal()
    await engine.stop()
  } finally {
    await lock.release()
  }
}

function readFolderConfig({ env }: HostWorld, data: string | undefined): Config {
  const quiet = { TELLTALE_LOG_LEVEL: 'warn', ...env }
  return readConfig(data === undefined ? [] : ['--data', data], quiet)
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`--port must be a whole number from 0 to 65535, not "${text}"`)
}

/** Not an argument, because other users of the machine can read arguments. */
function readPassword({ env }: HostWorld): string | undefined {
  const password = env[passwordVariable]
  if (!password) return undefined
  if (password.length < leastPassword) {
    throw new Error(`${passwordVariable} must have at least ${leastPassword} characters.`)
  }
  return password
}
