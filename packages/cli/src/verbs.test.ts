// The verbs against a real server: their output for people and programs, and their exit codes.

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { apiKey, flagsmithDocument } from '../../../test/contracts/flagsmith-document.ts'
import { runTelltale } from '../../../test/run-telltale.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
let token: string
let folder: string

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  const { headers } = await telltale.token(owner, { role: 'owner' })
  token = headers.authorization?.replace('Bearer ', '') ?? ''
  folder = await mkdtemp(join(tmpdir(), 'telltale-verbs-'))
  await telltale.project('shop')
})
afterAll(async () => {
  await telltale?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  const settings = {
    TELLTALE_URL: telltale.url,
    TELLTALE_TOKEN: token,
    TELLTALE_PROJECT: 'shop',
    TELLTALE_ENV: 'production',
    XDG_CONFIG_HOME: folder,
  }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const run = (...args: string[]) => runTelltale(args)

test('a flag is created, turned on, evaluated with its explanation, and archived', async () => {
  const created = ['flags', 'create', 'headline', '--type', 'string', '--browsers', '--name', 'Headline']
  const variations = ['--variation', 'plain=Welcome', '--variation', 'bold="Everything must go"']
  expect(await run(...created, ...variations)).toEqual({
    code: 0,
    out: 'Created headline, off in every environment.',
    err: '',
  })
  expect((await run('flags', 'on', 'headline', '--reason', 'Launch')).out).toBe(
    'headline is on in production now.',
  )
  expect((await run('flags', 'on', 'headline')).out).toBe('headline is on in production already.')

  const listed = (await run('flags', 'list')).out.split('\n')
  expect(listed[0]).toMatch(/^KEY +TYPE +ON IN +LIFECYCLE +NAME$/)
  expect(listed[1]).toMatch(/^headline +string +production +\S+ +Headline$/)
  const { items } = JSON.parse((await run('flags', 'list', '--json')).out)
  expect(items).toMatchObject([{ key: 'headline' }])
  expect((await run('flags', 'get', 'headline')).out).toMatch(/^production +on +plain /m)

  const evaluated = await run(
    'evaluate',
    'headline',
    '--key',
    'eve',
    '--attribute',
    'plan="pro"',
    '--explain',
  )
  expect(evaluated.out).toContain('value      "Welcome"')
  expect(evaluated.out).toContain('The flag is on.')
  const headers = { authorization: `Bearer ${token}` }
  const override = '/api/v1/projects/shop/environments/production/flags/headline/overrides/ada'
  await telltale.request('PUT', override, { as: { headers }, body: { variation: 'bold' } })
  expect((await run('identities', 'get', 'ada')).out).toMatch(/^headline +bold +"Everything must go"/m)
  expect((await run('audit', '--entity', 'flag', '--limit', '5')).out).toContain('flag.create')

  expect((await run('flags', 'off', 'headline')).code).toBe(0)
  expect((await run('flags', 'archive', 'headline')).out).toBe('Archived headline.')
  expect((await run('flags', 'list')).out).toBe('No flags.')
  expect((await run('segments', 'list')).out).toBe('No segments.')
})

test('a rollout without traffic is undecided for the pipeline that waits for it', async () => {
  expect((await run('flags', 'create', 'checkout')).code).toBe(0)
  expect((await run('flags', 'on', 'checkout')).code).toBe(0)
  expect(await run('rollout', 'plan', 'checkout', 'off')).toMatchObject({
    err: '',
    out: expect.stringMatching(/^STAGE +AT LEAST +USERS/m),
  })
  const drafted = await run('rollout', 'start', 'checkout', 'off', '--draft')
  expect(drafted).toMatchObject({ code: 0, out: expect.stringContaining('checkout off, draft') })
  const stage = { minDuration: 3_600_000, minUnits: 100, needsApproval: false }
  const stages = [20_000, 100_000].map((weight) => ({ ...stage, weight }))
  const metrics = [{ metric: 'lcp', limit: 0.07, role: 'required', onRegression: 'hold' }]
  const body = { key: 'careful', name: 'Careful', stages, metrics }
  const made = await telltale.request('POST', '/api/v1/projects/shop/rollout-templates', { as: owner, body })
  expect(made.status).toBe(201)
  const planned = await run('rollout', 'plan', 'checkout', 'off', '--template', 'careful')
  expect(planned.out).toMatch(/^20% +1 h[\s\S]+^lcp +\+7% +required/m)
  expect((await run('rollout', 'plan', 'checkout', 'off', '--template', 'gone')).err).toContain('"gone"')
  const begun = ['rollout', 'start', 'checkout', 'off', '--template', 'careful', '--draft', '--json']
  expect(JSON.parse((await run(...begun)).out)).toMatchObject({ stages, metrics })
  expect((await run('rollout', 'status', 'checkout')).out).toContain('not yet')
  expect((await run('rollout', 'wait', 'checkout', '--timeout', '0s')).code).toBe(2)
  expect((await run('rollout', 'wait', 'nothing', '--timeout', '0s')).code).toBe(2)
})

test('a deploy is reported, and a refusal says what to do', async () => {
  expect((await run('deploy', '2.4.0', '--author', 'Ada')).out).toBe(
    'Reported the deploy of 2.4.0 to production.',
  )
  expect((await run('deploy', 'mark', '2.4.1', '--json')).out).toContain('"version": "2.4.1"')
  const refused = await run('flags', 'get', 'nothing')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('Not found.')
  expect(refused.err).toContain('you do not have access to its project')
  const unknown = await run('flags', 'list', '--token', 'tta_wrong')
  expect(unknown.err).toContain('Run "telltale login"')
  const away = await run('flags', 'list', '--url', 'http://127.0.0.1:9')
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining('http://127.0.0.1:9 does not answer') })
})

test('without a server, a token or a project, the usage is printed', async () => {
  vi.stubEnv('TELLTALE_PROJECT', '')
  expect(await run('flags', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('--project KEY') })
  vi.stubEnv('TELLTALE_TOKEN', '')
  expect(await run('flags', 'list', '--project', 'shop')).toMatchObject({ code: 2 })
  expect(await run('evaluate')).toMatchObject({ code: 2, err: expect.stringContaining('FLAG is missing.') })
  expect(await run('flags', 'create', 'x', '--type', 'text')).toMatchObject({ code: 2 })
})

test('a login is stored for its owner alone, and used for its server alone', async () => {
  const file = join(folder, 'telltale/login.json')
  for (const name of ['TELLTALE_URL', 'TELLTALE_TOKEN', 'TELLTALE_PROJECT', 'TELLTALE_ENV'])
    vi.stubEnv(name, '')
  expect(await run('whoami')).toMatchObject({ code: 2, err: expect.stringContaining('telltale login URL') })
  expect((await run('login', telltale.url, '--token', 'tta_wrong')).code).toBe(1)
  const place = ['--project', 'shop', '--env', 'production']
  expect((await run('login', `${telltale.url}/`, '--token', token, ...place)).out).toContain(file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await run('whoami')).out).toContain(telltale.url)
  expect((await run('flags', 'list')).code).toBe(0)
  expect(await run('whoami', '--url', 'http://127.0.0.1:9')).toMatchObject({
    code: 2,
    err: expect.stringContaining('TELLTALE_TOKEN'),
  })
  expect(JSON.parse((await run('login', telltale.url, '--token', token, '--json')).out)).toMatchObject({
    url: telltale.url,
    file,
  })
  expect((await run('logout')).out).toContain('is removed')
  expect(JSON.parse((await run('logout', '--json')).out)).toEqual({ removed: null })
  expect((await run('whoami')).code).toBe(2)
})

test('a device is signed in once its code is approved in the console, with the chosen role', async () => {
  for (const name of ['TELLTALE_URL', 'TELLTALE_TOKEN']) vi.stubEnv(name, '')
  const login = () => {
    const shown = vi.spyOn(console, 'error')
    const done = run('login', telltale.url)
    const findCode = () => /code ([A-Z]{4}-[A-Z]{4})/.exec(String(shown.mock.lastCall?.[0]))?.[1]
    return { done, code: vi.waitUntil(findCode, { timeout: 10_000 }) }
  }
  const decide = (decision: string, body?: object) =>
    telltale.request('POST', `/api/v1/device-logins/${decision}`, { as: owner, ...(body && { body }) })

  const refused = login()
  expect((await decide(`${await refused.code}/refuse`)).status).toBe(204)
  expect(await refused.done).toMatchObject({ code: 1 })

  const approved = login()
  const userCode = await approved.code
  expect((await decide(`${userCode}/approve`, { role: 'viewer', project: 'none' })).status).toBe(404)
  expect((await decide(`${userCode}/approve`, { role: 'viewer', project: 'shop' })).status).toBe(204)
  expect((await decide(`${userCode}/approve`, { role: 'admin' })).status).toBe(404)
  expect((await approved.done).out).toContain('The token is stored in')
  expect((await run('flags', 'list')).code).toBe(0)
  expect(await run('flags', 'create', 'by-viewer')).toMatchObject({ code: 1 })
  const { body } = await telltale.request('GET', '/api/v1/account/tokens', { as: owner })
  expect(body.items[0]).toMatchObject({ role: 'viewer', project: 'shop' })
  await run('logout')
})

test('imports a document of Flagsmith and reports what was created and what was approximated', async () => {
  const file = join(folder, 'environment.json')
  await writeFile(file, JSON.stringify(flagsmithDocument))
  const { code, out } = await run('import-flagsmith', file)
  expect(out).toContain('Imported into web-shop, production: 6 flags, 2 segments, 2 overrides.')
  expect(out).toContain(apiKey)
  expect(out).toContain('The feature "Max Items" is the flag "max-items"')
  expect(code).toBe(0)
})

test('prints every error of a document, and imports nothing', async () => {
  const [first] = flagsmithDocument.feature_states
  const file = join(folder, 'twice.json')
  await writeFile(file, JSON.stringify({ ...flagsmithDocument, feature_states: [first, first] }))
  const { code, err } = await run('import-flagsmith', file)
  expect(err).toContain('Nothing was imported')
  expect(err).toContain('/feature_states/1/feature/id is duplicated: 101')
  expect(code).toBe(1)
})

test('parses JSON text on request', async () => {
  const { feature } = flagsmithDocument.feature_states[0] ?? {}
  const states = [{ feature, enabled: true, feature_state_value: '{"a":[1]}' }]
  const file = join(folder, 'json.json')
  const document = { api_key: `${apiKey}Json`, name: 'Production', project: {}, feature_states: states }
  await writeFile(file, JSON.stringify(document))
  await telltale.project('parsed')
  const place = ['--project', 'parsed', '--env', 'production']
  const { code, err } = await run('import-flagsmith', file, '--parse-json', ...place)
  expect({ code, err }).toMatchObject({ code: 0 })
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await telltale.request('GET', '/api/v1/projects/parsed/flags', { as: { headers } })
  expect(body.items).toMatchObject([{ valueType: 'json' }])
})

test('reports missing arguments of an import', async () => {
  expect(await run('import-flagsmith', join(folder, 'nothing.json'))).toMatchObject({ code: 1 })
  expect(await run('import-flagsmith')).toMatchObject({
    code: 2,
    err: expect.stringContaining('FILE is missing'),
  })
  expect((await run('import-flagsmith', '-', '--url', 'nowhere')).code).toBe(2)
})

test('the types of flags are written, and checked in a pipeline', async () => {
  const file = join(folder, 'flags.d.ts')
  const types = () => run('types', '--out', file, '--check')
  await run(
    'flags',
    'create',
    'colour',
    '--type',
    'string',
    '--variation',
    'red=red',
    '--variation',
    'blue=blue',
  )
  expect((await types()).code).toBe(1)
  expect((await run('types', '--out', file)).out).toContain(`to ${file}.`)
  expect(await readFile(file, 'utf8')).toContain('    "colour": "red" | "blue"\n')
  expect(await types()).toEqual({ code: 0, out: `${file} is up to date.`, err: '' })
  await run('flags', 'archive', 'colour')
  expect((await types()).out).toContain('is out of date: run "telltale types".')
})
