// The packages that the server hands out, as applications install them: types in every compiler and way to resolve modules, and
// what tools that check packages say.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type TypedFlag, writeTypes } from '@telltale/code/types/write-types'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeCliPackage } from '../../scripts/build/cli.ts'
import { describeForRegistry } from '../../scripts/build/manifest.ts'
import { writeNodePackage } from '../../scripts/build/node.ts'
import { root } from '../../scripts/build/place.ts'
import { writeSdkPackage } from '../../scripts/build/sdk.ts'
import { writeTarball } from '../../scripts/build/tarball.ts'
import { writeTelltalePackage } from '../../scripts/build/telltale-package.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'telltale-packages-'))
const own = join(folder, 'node_modules/@telltale')
const packages = { browser: writeSdkPackage, node: writeNodePackage, cli: writeCliPackage }

beforeAll(async () => {
  mkdirSync(own, { recursive: true })
  for (const [name, write] of Object.entries(packages)) {
    const content = join(own, name)
    await write(content)
    writeTarball(join(folder, `${name}.tgz`), content)
  }
  for (const name of ['react', 'csstype', '@types/react', '@types/node', 'undici-types', '@openfeature']) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  writeFileSync(join(folder, 'package.json'), '{ "name": "shop", "type": "module" }')
  writeFileSync(join(folder, 'pages.tsx'), pages)
  writeFileSync(join(folder, 'servers.ts'), servers)
  writeFileSync(join(folder, 'provider.ts'), provider)
  writeFileSync(join(folder, 'wrong.ts'), wrong)
  writeFileSync(join(folder, 'typed.ts'), typed)
  writeFileSync(join(folder, 'typed-openfeature.ts'), typedOpenFeature)
  writeFileSync(join(folder, 'telltale-flags.d.ts'), writeTypes(typedFlags))
  writeFileSync(join(folder, 'typed-openfeature.d.ts'), writeTypes(typedFlags, { openFeature: true }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pages = `
import { init, type Telltale, type TelltaleOptions } from '@telltale/browser'
import { startFlags } from '@telltale/browser/flags'
import { createProvider } from '@telltale/browser/openfeature'
import {
  ErrorBoundary, FlagsProvider, rootErrorHandlers, useFlag, useFlagDetails, useReportError,
} from '@telltale/browser/react'

interface Visitor { targetingKey: string; plan?: 'free' | 'pro' }
interface Limits { perMinute: number; bursts?: number[] }
type Theme = 'light' | 'dark'
declare const visitor: Visitor
declare const theme: Theme
declare const version: string | undefined

const options: TelltaleOptions = { url: 'https://telltale.example', key: 'key', version, context: visitor }
export const app: Telltale = init({ ...options, service: undefined, bootstrap: undefined, collect: { errors: true } })
export const flags = startFlags({ url: 'https://telltale.example', key: 'key', context: undefined })
export const provider = createProvider(flags)
void app.setContext(visitor)

export const isOn: boolean = app.getBoolean('new', false)
export let text = app.getString('text', 'one')
text = 'another'
export const chosen: Theme = app.getString('theme', theme)
export const named: Theme = app.getString<Theme>('theme', 'light')
export let count = app.getNumber('count', 1)
count = 2
export const limits: Limits = app.getJson<Limits>('limits', { perMinute: 60 })
app.getDetails('text', 'one').value.toUpperCase()
app.reportError(new Error('no'), { attributes: { at: 1 }, componentStack: undefined, handled: undefined })

function Banner({ error }: { error?: unknown }) {
  useReportError(app, error)
  const limit: Limits = useFlag<Limits>('limits', { perMinute: 60 })
  const look: Theme = useFlag('theme', theme)
  let title = useFlag('title', 'Hello')
  title = title + useFlag('size', 12).toFixed(1) + look
  const on: boolean = useFlag('on', false)
  return <h1 title={useFlagDetails('text', 'one').variant}>{on ? title : limit.perMinute}</h1>
}
export const handlers = rootErrorHandlers(app)
export const page = (
  <FlagsProvider flags={app} bootstrap={undefined}>
    <ErrorBoundary telltale={app} fallback={undefined}><Banner /></ErrorBoundary>
  </FlagsProvider>
)
`
const servers = `
import { startFlags, type Bootstrap } from '@telltale/node'
import { telltaleErrors, telltaleRequests } from '@telltale/node/express'
import { telltaleFastify } from '@telltale/node/fastify'
import { telltaleHandler } from '@telltale/node/next'
import { signUser } from '@telltale/node/sign-user'

interface Visitor { targetingKey: string; plan?: 'free' | 'pro' }
interface Limits { perMinute: number; bursts?: number[] }
declare const visitor: Visitor
declare const copy: string | undefined

export const flags = startFlags({ url: 'https://telltale.example', key: 'ser.key', copy, bootstrap: undefined })
export const limits: Limits = flags.getJson<Limits>('limits', { perMinute: 60 }, visitor)
export let text = flags.getString('text', 'one', visitor)
text = 'another'
export const theme: 'light' | 'dark' = flags.getString<'light' | 'dark'>('theme', 'light')
export const values: Bootstrap = flags.bootstrapValuesFor(visitor)
flags.withContext(visitor, () => flags.track('order', { value: 1, attributes: { plan: 'pro' } }))
export const middleware = [
  telltaleRequests(flags, { context: ({ user }: { user?: Visitor }) => user, ignore: () => false }),
  telltaleErrors(flags),
]
export const plugin = telltaleFastify(flags)
export const signature: string = signUser('secret', visitor.targetingKey, { expiresIn: 60 })
interface Asked { method: string; url: string }
export const handler = telltaleHandler(
  flags, { route: '/orders/[id]' }, async (_asked: Asked, { id }: { id: string }) => ({ status: 200, id }),
)
`
/** OpenFeature's own types need those of Node.js, which the rest has to do without. */
const provider = `
/// <reference types="node" />
import { startFlags } from '@telltale/node'
import { TelltaleProvider } from '@telltale/node/openfeature'
export const provider = new TelltaleProvider(startFlags({ url: 'https://telltale.example', key: 'ser.key' }))
`
/** What a type is for: it has to be refused. */
const wrong = `
import { init } from '@telltale/browser'
import { startFlags } from '@telltale/node'
const app = init({ url: 'https://telltale.example', key: 'key' })
// @ts-expect-error a boolean is no text
export const text: string = app.getBoolean('text', false)
// @ts-expect-error no such option
init({ url: 'https://telltale.example', key: 'key', sample: 1 })
// @ts-expect-error no key
startFlags({ url: 'https://telltale.example' })
`
/** Flags as `telltale types` declares them. */
const typedFlags: TypedFlag[] = [
  { key: 'new-cart', valueType: 'boolean' as const, values: [true, false] },
  { key: 'theme', valueType: 'string' as const, values: ['light', 'dark'] },
  { key: 'free', valueType: 'string' as const, values: ['a'], valueSchema: { type: 'string', minLength: 1 } },
  { key: 'size', valueType: 'number' as const, values: [10, 20] },
  {
    key: 'limits',
    valueType: 'json' as const,
    values: [
      { each: 60, names: ['a'] },
      { each: 90, names: [] },
    ],
  },
  {
    key: 'banner',
    valueType: 'json' as const,
    values: [{ text: 'Hi' }],
    valueSchema: {
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string' }, level: { enum: ['info', 'warning'] } },
      additionalProperties: false,
    },
  },
].map(flagOf)
const typed = `
import { init } from '@telltale/browser'
import { useFlag, useFlagDetails } from '@telltale/browser/react'
import { startFlags } from '@telltale/node'
const app = init({ url: 'https://telltale.example', key: 'key' })
const flags = startFlags({ url: 'https://telltale.example', key: 'ser.key' })

export const on: boolean = app.getBoolean('new-cart', false) && flags.getBoolean('new-cart', false, { plan: 'pro' })
export const theme: 'light' | 'dark' = app.getString('theme', 'light')
export const free: string = flags.getString('free', 'anything')
export const size: 10 | 20 = flags.getNumber('size', 10)
export const limits: { each: number; names: string[] } = app.getJson('limits', { each: 1, names: [] })
export const level: 'info' | 'warning' | undefined = useFlag('banner', { text: 'Hello' }).level
export const variant: string | undefined = useFlagDetails('theme', 'dark').variant

// @ts-expect-error no such flag
app.getBoolean('new-card', false)
// @ts-expect-error a flag of another type
app.getBoolean('theme', false)
// @ts-expect-error no such value
flags.getString('theme', 'blue')
// @ts-expect-error no such value
useFlag('size', 30)
// @ts-expect-error a member is missing
flags.getJson('banner', {})
// @ts-expect-error no such member
app.getDetails('banner', { text: 'Hello', colour: 'red' })
`
const typedOpenFeature = `
/// <reference types="node" />
import { OpenFeature } from '@openfeature/server-sdk'
const client = OpenFeature.getClient()
void client.getBooleanValue('new-cart', false)
// @ts-expect-error no such flag
void client.getBooleanValue('new-card', false)
// @ts-expect-error a flag of another type
void client.getStringValue('new-cart', 'a')
`

function flagOf({ key, valueSchema = null, ...given }: FlagGiven): TypedFlag {
  const variations = given.values.map((value, index) => ({ key: `v${index}`, value }))
  const { valueType } = given
  return { key, name: key, description: 'Ends a comment */ early', valueType, variations, valueSchema }
}
interface FlagGiven {
  key: string
  valueType: TypedFlag['valueType']
  values: unknown[]
  valueSchema?: object | null
}

const compilers = {
  '5.4': 'test/versions/typescript-5.4/node_modules/typescript',
  '6': 'test/versions/typescript-6/node_modules/typescript',
  '7': 'node_modules/typescript',
}
const modules = {
  // TypeScript 7 does not have it any more.
  node: { module: 'esnext', moduleResolution: 'node' },
  node16: { module: 'node16', moduleResolution: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}
const strictest = { strict: true, skipLibCheck: false }
const skipping = { strict: true, skipLibCheck: true }
const loose = { strict: false, skipLibCheck: false }
/** For several compilers at once on a busy machine. */
const patience = 300_000
/** The corners of the matrix. A compiler takes seconds to read the types of the browser, so not each of its cells. */
const setups = [
  { version: '5.4', resolution: 'node', ...skipping },
  { version: '5.4', resolution: 'node16', ...strictest },
  { version: '5.4', resolution: 'bundler', ...loose },
  { version: '6', resolution: 'bundler', ...skipping },
  { version: '7', resolution: 'node16', ...loose },
  { version: '7', resolution: 'bundler', ...strictest },
] as const

test.concurrent.each(setups)(
  'TypeScript $version, $resolution, strict: $strict, skipLibCheck: $skipLibCheck',
  async (setup) => {
    const files = ['pages.tsx', 'servers.ts', ...(setup.strict ? ['wrong.ts'] : [])]
    if (setup.version === '7' && setup.resolution === 'bundler') files.push('provider.ts')
    expect(await compile(setup, files)).toBe('')
  },
  patience,
)

/** OpenFeature's key types are replaced from TypeScript 6 on, where declarations are not checked. */
const declaring = [
  { version: '5.4', resolution: 'node16', ...strictest, isOpenFeature: false },
  { version: '6', resolution: 'bundler', ...skipping, isOpenFeature: true },
] as const

test.concurrent.each(declaring)(
  'declared flags are checked by TypeScript $version, $resolution',
  async ({ isOpenFeature, ...setup }) => {
    const files = isOpenFeature ? ['typed-openfeature.d.ts', 'typed-openfeature.ts'] : ['telltale-flags.d.ts']
    expect(await compile(setup, [...files, 'typed.ts'])).toBe('')
  },
  patience,
)

interface Setup {
  version: keyof typeof compilers
  resolution: keyof typeof modules
  strict: boolean
  skipLibCheck: boolean
}

/** What the compiler says of the files. */
async function compile(
  { version, resolution, strict, skipLibCheck }: Setup,
  files: string[],
): Promise<string> {
  const compilerOptions = {
    ...modules[resolution],
    // Its own libraries are not ours to check, and take it longer than all else.
    skipDefaultLibCheck: true,
    strict,
    skipLibCheck,
    noEmit: true,
    jsx: 'react-jsx',
    target: 'es2022',
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
    ...(strict && { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }),
  }
  const config = join(
    folder,
    `tsconfig.${[version, resolution, strict, skipLibCheck, files.length].join('.')}.json`,
  )
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  const compiler = join(root, compilers[version], 'bin/tsc')
  const { stdout, stderr } = await run(process.execPath, [compiler, '-p', config], { cwd: folder }).catch(
    (error: { stdout?: string; stderr?: string }) => ({
      stdout: error.stdout ?? String(error),
      stderr: error.stderr,
    }),
  )
  return `${stdout}${stderr ?? ''}`
}

test('declarations only reference files in the package', () => {
  for (const name of ['browser', 'node']) {
    const { exports } = JSON.parse(readFileSync(join(own, name, 'package.json'), 'utf8'))
    for (const entry of Object.values<{ types?: string }>(exports)) {
      if (entry.types === undefined) continue
      const text = readFileSync(join(own, name, entry.types), 'utf8')
      expect(text).not.toMatch(/@telltale\/|\.ts['"]/)
    }
  }
})

test('the React entry is a client module for server components', () => {
  expect(readFileSync(join(own, 'browser/react.js'), 'utf8')).toMatch(/^'use client'/)
})

test.each(['browser', 'node'])('are the types wrong? %s', async (name) => {
  // One form of module: Node.js from 20.19 on takes it by `require` as well.
  const rules = ['--ignore-rules', 'cjs-resolves-to-esm', '--no-emoji', '--no-color']
  const tool = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const file = join(folder, `${name}.tgz`)
  const { stdout } = await run(process.execPath, [tool, file, ...rules]).catch((error) => error)
  expect(stdout).toContain('No problems found')
})

test.each(['browser', 'node', 'cli'])('publint: %s', async (name) => {
  const { publint } = await import('publint')
  const { messages } = await publint({ pkgDir: join(own, name), strict: true, pack: false })
  expect(messages).toEqual([])
})

test('the command is one file that knows its version', async () => {
  const { bin, version } = JSON.parse(readFileSync(join(own, 'cli/package.json'), 'utf8'))
  const command = join(own, 'cli', bin.telltale)
  expect((await run(process.execPath, [command, '--version'])).stdout.trim()).toBe(version)
  expect((await run(process.execPath, [command, 'help'])).stdout).toContain('upload-maps FOLDER')
  // With the parser of YAML in it.
  mkdirSync(join(folder, 'flags'), { recursive: true })
  writeFileSync(join(folder, 'flags/broken.yaml'), 'flags:\n  one:\n    name: [\n')
  const place = ['--url', 'http://127.0.0.1:9', '--token', 'tta_none', '--project', 'shop']
  const plan = await run(process.execPath, [command, 'plan', join(folder, 'flags'), ...place]).catch(
    (error) => error,
  )
  expect(plan.stderr).toMatch(/^broken\.yaml:4:1: /)
  const refused = await run(process.execPath, [command, 'backup']).catch((error) => error)
  expect(refused.stderr).toContain('on the machine of the server')
})

test('the package of the server has what it needs, and runtime dependencies only', async () => {
  const content = join(folder, 'telltale')
  await writeTelltalePackage(content)
  const { name, bin, dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(content, 'package.json'), 'utf8'),
  )
  expect(name).toBe('telltale')
  expect(devDependencies).toBeUndefined()
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining(['fastify', 'pg', 'chdb', '@node-rs/argon2']),
  )
  for (const [each, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    expect(each).not.toMatch(/^@telltale\/|^(vite|react|esbuild)/)
    expect(version).toMatch(/^[\^~]?\d/)
  }
  const files = [
    bin.telltale,
    'packages/server/dist/main.js',
    'packages/server/dist/telemetry-engine.js',
    'packages/server/dist/migrations/meta/_journal.json',
    'packages/console/dist/index.html',
    'packages/docs/dist/index.html',
    'packages/sdk/dist/telltale.js',
    'demo/dist/demo.js',
    'README.md',
    'LICENSE',
    'THIRD-PARTY-LICENSES.txt',
  ]
  expect(files.filter((file) => !existsSync(join(content, file)))).toEqual([])
  expect(readFileSync(join(content, bin.telltale), 'utf8')).toMatch(/^#!\/usr\/bin\/env node/)
  const { messages } = await (await import('publint')).publint({ pkgDir: content, strict: true, pack: false })
  expect(messages).toEqual([])
})

test('the registry is told the repository of the pipeline that publishes', () => {
  expect(describeForRegistry({ GITHUB_REPOSITORY: 'pedal/telltale' })).toMatchObject({
    repository: { type: 'git', url: 'git+https://github.com/pedal/telltale.git' },
    publishConfig: { access: 'public' },
  })
  expect(describeForRegistry({})).toEqual({ publishConfig: { access: 'public' } })
})
