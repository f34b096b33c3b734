// The built server with a project, its client key and an owner who changes flags over the API; and pages of another site
// that use them.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hastyPostgres, noTelemetry } from './built-server.ts'
import { createDatabases, untilTelemetry } from './engines.ts'

const main = join(import.meta.dirname, '../../packages/server/dist/main.js')

export const clientKey = 'shop-production-web'
export const serverKey = 'ser.shop-production'

export const shopOwner = { email: 'ada@example.com', name: 'Ada', password: 'seven calm geese walk home' }

const describeSetup = (environment: object) => ({
  owner: shopOwner,
  projects: [
    {
      key: 'shop',
      environments: [
        {
          key: 'production',
          ...environment,
          keys: [
            { kind: 'client', label: 'web', value: clientKey },
            { kind: 'server', label: 'server', value: serverKey },
          ],
        },
      ],
    },
  ],
})

export interface FlagServer extends AsyncDisposable {
  /** Without a slash at the end; stays through a restart. */
  url: string
  dataFolder: string
  /** Creates a flag with these variations; it serves the first one to everyone. */
  create(flag: string, valueType: string, values: Record<string, unknown>): Promise<void>
  /** Changes what it serves to everyone. */
  serve(flag: string, variation: string): Promise<void>
  /** The owner asks the management API. */
  ask(method: string, path: string, body?: object): Promise<unknown>
  /** What it answers. */
  get(path: string): Promise<unknown>
  post(path: string, body: object): Promise<unknown>
  /** The same, as text. */
  read(path: string): Promise<string>
  /** Ends it without a word. */
  kill(): Promise<void>
  /** On the same data folder and port. */
  start(): Promise<void>
}

/** With a telemetry store where it is asked for. */
export async function startFlagServer({
  telemetry = false,
  ownEngines = false,
  environment = {},
}: {
  telemetry?: boolean
  /** In its data folder, not those of all tests. */
  ownEngines?: boolean
  /** Settings of `production` in the setup file. */
  environment?: object
} = {}): Promise<FlagServer> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-flags-'))
  const setupFile = join(folder, 'setup.json')
  await writeFile(setupFile, JSON.stringify(describeSetup(environment)))
  const databases = ownEngines ? undefined : await createDatabases({ telemetry })
  let child: ChildProcess | undefined
  let url = ''
  let cookie = ''

  const start = async () => {
    const port = url === '' ? '0' : new URL(url).port
    const args = [main, '--port', port, '--data', join(folder, 'data'), '--setup', setupFile]
    child = spawn(process.execPath, [...args, '--log-level', 'warn'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        TELLTALE_HOST: '127.0.0.1',
        TELLTALE_MANAGEMENT_RATE: '100000',
        ...hastyPostgres,
        ...(telemetry ? {} : noTelemetry),
        ...databases?.settings,
      },
    })
    url = await readAddress(child)
    if (telemetry) await untilTelemetry(url)
  }
  const stop = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, origin: url, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
    return response
  }
  const configPath = (flag: string) => `/api/v1/projects/shop/environments/production/flags/${flag}/config`
  const serveVariation = async (flag: string, variation: string) => {
    const { savedAt: _, salt: __, ...config } = await (await ask('GET', configPath(flag))).json()
    await ask('PUT', configPath(flag), { ...config, enabled: true, fallthrough: { variation } })
  }

  await start()
  const { email, password } = shopOwner
  const signedIn = await ask('POST', '/api/v1/sign-in', { email, password })
  cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')

  return {
    get url() {
      return url
    },
    dataFolder: join(folder, 'data'),
    async create(key, valueType, values) {
      const variations = Object.entries(values).map(([name, value]) => ({ key: name, value }))
      const draft = { key, name: key, valueType, variations, clientVisible: true }
      await ask('POST', '/api/v1/projects/shop/flags', draft)
      await serveVariation(key, variations[0]?.key ?? '')
    },
    serve: serveVariation,
    ask,
    get: async (path) => (await ask('GET', path)).json(),
    post: async (path, body) => (await ask('POST', path, body)).json(),
    read: async (path) => (await ask('GET', path)).text(),
    kill: () => stop('SIGKILL'),
    start,
    async [Symbol.asyncDispose]() {
      await stop('SIGTERM')
      await databases?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk)
    const url = /Telltale listens at (\S+)\n/.exec(said)?.[1]
    if (url === undefined) continue
    stdout?.resume()
    return url
  }
  throw new Error(`the server did not start: ${said}`)
}

export interface Site extends AsyncDisposable {
  url: string
}

/** Of a font, as sites have them. */
export const fontFile = () =>
  readFile(
    join(
      import.meta.dirname,
      '../../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
    ),
  )

/** A site of somebody else, over HTTP/1.1: its files by path. */
export async function startSite(
  files: Record<string, string | Uint8Array>,
  headers: Record<string, string> = {},
): Promise<Site> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '/'
    const body = files[path]
    const type = path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html'
    response
      .writeHead(body === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8`, ...headers })
      .end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
