import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabases, untilTelemetry } from './engines.ts'

const main = join(import.meta.dirname, '../../packages/server/dist/main.js')
const patience = 60_000
/** Names a telemetry store that is not there: most tests need none, and do without the time of starting one. */
export const noTelemetry = { CLICKHOUSE_URL: 'http://127.0.0.1:9' }

/** Tests of the console do not wait for the disk at every change: the test of what survives a crash is another. */
export const hastyPostgres = { PGOPTIONS: '-c synchronous_commit=off' }

export interface BuiltServer extends AsyncDisposable {
  /** Without a slash at the end. */
  url: string
  /** The address that the first start prints for the person who becomes the owner. */
  setupUrl: string
  dataFolder: string
}

/** The server as it ships, as a process of its own, on an empty data folder and any free port. */
export async function startBuiltServer({
  ownProject = 'off',
  telemetry = false,
  ownEngines = false,
  settings = {},
}: {
  ownProject?: 'on' | 'off'
  /** With a telemetry store. */
  telemetry?: boolean
  /** In its data folder, not those of all tests. */
  ownEngines?: boolean
  settings?: Record<string, string>
} = {}): Promise<BuiltServer> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-browser-'))
  const dataFolder = join(folder, 'data')
  const databases = ownEngines ? undefined : await createDatabases({ telemetry })
  const server = spawn(process.execPath, [main, '--port', '0', '--data', dataFolder], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TELLTALE_HOST: '127.0.0.1',
      TELLTALE_OWN_PROJECT: ownProject,
      ...hastyPostgres,
      ...(telemetry ? {} : noTelemetry),
      ...databases?.settings,
      ...settings,
    },
  })
  const setupUrl = await readSetupUrl(server)
  if (telemetry) await untilTelemetry(new URL(setupUrl).origin)

  return {
    url: new URL(setupUrl).origin,
    setupUrl,
    dataFolder,
    async [Symbol.asyncDispose]() {
      if (server.exitCode === null) {
        server.kill('SIGTERM')
        await once(server, 'exit')
      }
      await databases?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function readSetupUrl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = () => reject(new Error(`the server did not print where it is:\n${output}`))
    const timer = setTimeout(fail, patience)
    const listen = (chunk: Buffer) => {
      output += chunk.toString()
      const found = output.match(/https?:\/\/[^\s"]+[?&]code=[^\s"]+/)
      if (!found) return
      clearTimeout(timer)
      resolve(found[0])
    }
    server.stdout?.on('data', listen)
    server.stderr?.on('data', listen)
    server.once('exit', fail)
  })
}
