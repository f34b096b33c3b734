// The packages as a stranger installs them: from a registry, by three package managers, into an empty folder; then the
// server with a flag, and the same data under the next version.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { pack } from '../../scripts/pack.ts'
import { type InstalledServer, startInstalled } from './installed-server.ts'
import { addMissingEngines, packAs, type Registry, startRegistry } from './registry.ts'

const run = promisify(execFile)
const next = '0.1.1'

let folder: string
let registry: Registry
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  // Not the temporary folder of the other tests, which is in memory: the engines are half a gigabyte for each manager.
  folder = mkdtempSync('/var/tmp/telltale-install-')
  registry = await startRegistry(join(folder, 'registry'))
  await addMissingEngines(registry, join(folder, 'engines'))
  const files = await pack(join(folder, 'packages'))
  for (const file of files) {
    await registry.publish(file)
    await registry.publish(await packAs(next, file, join(folder, 'next', basename(file))))
  }
  environment = {
    // As in a terminal: without what npm says to the scripts that it runs.
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/i.test(name)),
    ),
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_yes: 'true',
    PNPM_HOME: join(folder, 'pnpm'),
    XDG_DATA_HOME: join(folder, 'share'),
    XDG_CACHE_HOME: join(folder, 'caches'),
    YARN_NPM_REGISTRY_SERVER: registry.url,
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_GLOBAL_FOLDER: join(folder, 'yarn'),
    YARN_NODE_LINKER: 'node-modules',
    YARN_ENABLE_TELEMETRY: '0',
    // Yarn keeps from versions of the last day, and these are a minute old.
    YARN_NPM_MINIMAL_AGE_GATE: '0',
    YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  }
})
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

interface Manager {
  name: string
  /** Nothing for npx, which installs when it runs. */
  install?: (version: string) => string[]
  start: (version: string) => string[]
}

const managers: Manager[] = [
  { name: 'npx alone', start: (version) => ['npx', '--yes', `telltale@${version}`] },
  {
    name: 'npm',
    install: (version) => ['npm', 'install', '--no-audit', `telltale@${version}`],
    start: () => ['npx', 'telltale', 'start'],
  },
  {
    name: 'pnpm',
    install: (version) => ['npx', 'pnpm@10', 'add', `telltale@${version}`],
    start: () => ['npx', 'pnpm@10', 'exec', 'telltale'],
  },
  {
    name: 'yarn',
    install: (version) => ['npx', '@yarnpkg/cli-dist@4', 'add', `telltale@${version}`],
    start: () => ['npx', '@yarnpkg/cli-dist@4', 'telltale'],
  },
]

test.each(managers)('$name: install, first flag, upgrade with data', async (manager) => {
  const place = join(folder, manager.name)
  mkdirSync(place)
  if (manager.name === 'yarn') writeFileSync(join(place, 'yarn.lock'), '')
  if (manager.install) writeFileSync(join(place, 'package.json'), '{ "name": "shop", "private": true }')

  await install(manager, '0.1.0', place)
  const first = await start(manager, '0.1.0', place)
  const cookie = await setUp(first)
  const key = await createFlag(first, cookie)
  expect(await evaluate(first, key)).toBe('Welcome')
  expect(await versionOf(first, cookie)).toBe('0.1.0')
  await first.interrupt()

  await install(manager, next, place)
  const second = await start(manager, next, place)
  expect(second.setupCode).toBeUndefined()
  expect(await versionOf(second, cookie)).toBe(next)
  expect(await evaluate(second, key)).toBe('Welcome')
  expect(await telemetryOf(second, cookie)).toMatchObject({ kind: 'embedded', state: 'running' })
  await second.interrupt()
  expect(readdirSync(place)).toContain('data')
})

async function install({ install: lineOf }: Manager, version: string, place: string): Promise<void> {
  const [program, ...args] = lineOf?.(version) ?? []
  if (program === undefined) return
  await run(program, args, { cwd: place, env: environment, maxBuffer: 1e8 }).catch(
    (error: { stdout?: string }) => {
      // Yarn reports its errors there.
      throw new Error(error.stdout, { cause: error })
    },
  )
}

async function start(manager: Manager, version: string, place: string): Promise<InstalledServer> {
  return startInstalled([...manager.start(version), '--port', '0'], { folder: place, environment })
}

async function call(
  { url }: InstalledServer,
  path: string,
  {
    cookie,
    body,
    method = body === undefined ? 'GET' : 'POST',
  }: { cookie?: string; body?: unknown; method?: string },
): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      origin: url,
      ...(cookie && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

/** The console and its setup page, then what that page sends. */
async function setUp(server: InstalledServer): Promise<string> {
  for (const page of ['/', `/setup?code=${server.setupCode}`, '/docs/']) {
    expect((await call(server, page, {})).headers.get('content-type')).toContain('text/html')
  }
  const owner = { name: 'Ada', email: 'ada@example.com', password: 'a long enough sentence' }
  const body = { code: server.setupCode, owner, project: { key: 'shop', name: 'Shop' } }
  const response = await call(server, '/api/v1/setup', { body })
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

async function createFlag(server: InstalledServer, cookie: string): Promise<string> {
  const project = '/api/v1/projects/shop'
  const variations = [
    { key: 'plain', value: 'Welcome' },
    { key: 'bold', value: 'Everything must go' },
  ]
  const flag = { key: 'headline', name: 'Headline', valueType: 'string', clientVisible: true, variations }
  await call(server, `${project}/flags`, { cookie, body: flag })
  const config = { version: 1, enabled: true, offVariation: 'bold', prerequisites: [], rules: [] }
  await call(server, `${project}/environments/production/flags/headline/config`, {
    cookie,
    method: 'PUT',
    body: { ...config, fallthrough: { variation: 'plain' } },
  })
  const keys = await call(server, `${project}/environments/production/keys`, { cookie })
  const { items }: { items: { kind: string; value: string }[] } = await keys.json()
  return items.find(({ kind }) => kind === 'client')?.value ?? ''
}

async function evaluate({ url }: InstalledServer, key: string): Promise<unknown> {
  const response = await fetch(`${url}/ofrep/v1/evaluate/flags/headline`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: 'user-1' } }),
  })
  const { value }: { value: unknown } = await response.json()
  return value
}

async function installationOf(server: InstalledServer, cookie: string) {
  const response = await call(server, '/api/v1/installation', { cookie })
  const installation: { version: string; engines: { clickhouse: { state: string } } } = await response.json()
  return installation
}

async function versionOf(server: InstalledServer, cookie: string): Promise<string> {
  return (await installationOf(server, cookie)).version
}

/** The engine opens behind the server, within seconds. */
async function telemetryOf(server: InstalledServer, cookie: string) {
  return vi.waitFor(
    async () => {
      const { clickhouse } = (await installationOf(server, cookie)).engines
      expect(['restarting', 'waiting']).not.toContain(clickhouse.state)
      return clickhouse
    },
    { timeout: 60_000, interval: 200 },
  )
}
