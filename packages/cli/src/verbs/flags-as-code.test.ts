// `plan`, `apply` and `export` against a real server: what is exported and applied elsewhere is exported the same.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compactFlag, compactSegment } from '@telltale/core/flags-as-code/content'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { generatedProject, generatedTemplates } from '../../../../test/generated-project.ts'
import { runTelltale } from '../../../../test/run-telltale.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../test/start.ts'

let telltale: Telltale
let owner: SomePerson
let editor: SomePerson
let token: string
let home: string
let folder: string
let projects = 0
let project: string

beforeAll(async () => {
  telltale = await startTelltale()
  owner = await telltale.person({ role: 'owner' })
  const { headers } = await telltale.token(owner, { role: 'owner' })
  token = headers.authorization?.replace('Bearer ', '') ?? ''
  home = await mkdtemp(join(tmpdir(), 'telltale-code-'))
})
afterAll(async () => {
  await telltale?.[Symbol.asyncDispose]()
  if (home) await rm(home, { recursive: true, force: true })
})
beforeEach(async () => {
  project = await newProject()
  folder = join(home, project)
  vi.stubEnv('TELLTALE_URL', telltale.url)
  vi.stubEnv('TELLTALE_TOKEN', token)
  vi.stubEnv('TELLTALE_PROJECT', project)
  vi.stubEnv('XDG_CONFIG_HOME', home)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

async function newProject(): Promise<string> {
  projects += 1
  await telltale.project(`shop-${projects}`)
  return `shop-${projects}`
}

const run = (...args: string[]) => runTelltale(args)
const api = (path: string) => `/api/v1/projects/${project}${path}`

async function ask(method: string, path: string, body?: unknown) {
  const answer = await telltale.request(method, api(path), { as: owner, ...(body !== undefined && { body }) })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

async function write(files: Record<string, string>, to = folder): Promise<void> {
  await rm(to, { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await writeFile(join(to, path), text)
  }
}

async function filesIn(place: string): Promise<Record<string, string>> {
  const paths = await readdir(place, { recursive: true, withFileTypes: true })
  const files = paths.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const texts = await Promise.all(
    files.map(async (path) => [path.slice(place.length), await readFile(path, 'utf8')]),
  )
  return Object.fromEntries(texts.sort())
}

const checkout = (production: string, more = '') => `
flags:
  checkout:
    name: Checkout
    valueType: boolean
    tags: [shop]
    environments:
      production: ${production}
${more}`

test('export, apply to an empty project, export: the files are identical', async () => {
  await fc.assert(
    fc.asyncProperty(generatedProject(8), generatedTemplates(), async ({ flags, segments }, others) => {
      const [from, to] = [await newProject(), await newProject()]
      const document = {
        flags: Object.fromEntries([...flags].map(([key, flag]) => [key, compactFlag(flag)])),
        segments: Object.fromEntries([...segments].map(([key, one]) => [key, compactSegment(one)])),
        ...others,
      }
      const applied = await telltale.request('POST', `/api/v1/projects/${from}/code/apply`, {
        as: owner,
        body: { document },
      })
      expect(applied.status, JSON.stringify(applied.body)).toBe(200)
      const [first, second] = [join(home, from), join(home, to)]
      const format = flags.get('flag-0')?.permanent ? 'json' : 'yaml'
      expect((await run('export', first, '--project', from, '--format', format)).err).toBe('')
      expect(await run('apply', first, '--project', to, '--yes')).toMatchObject({ code: 0, err: '' })
      expect((await run('export', second, '--project', to, '--format', format)).err).toBe('')
      expect(await filesIn(second)).toEqual(await filesIn(first))
      expect(await run('plan', first, '--project', to, '--check')).toMatchObject({
        code: 0,
        out: 'No changes: the project is as the folder says.',
      })
    }),
    { numRuns: 3, endOnFailure: true },
  )
}, 120_000)

test('metrics, rollout templates, alerts and dashboards come with it, channels by name and without secrets', async () => {
  const secret = 'https://hooks.example.com/services/T000/secret'
  const channel = { kind: 'webhook', name: 'Pager', url: secret }
  const { channel: made } = await ask('POST', '/channels', channel)
  await ask('POST', '/metrics', {
    key: 'orders',
    name: 'Orders',
    event: 'order',
    aggregation: 'sum',
    better: 'higher',
    unit: '€',
  })
  const rule = {
    kind: 'measure',
    query: { measure: 'count', filter: 'browser:Safari' },
    window: '5m',
    condition: { kind: 'threshold', is: 'above', value: 10 },
    minEvents: 0,
    forMinutes: 0,
    whenNoData: 'quiet',
  }
  const alert = await ask('POST', '/alerts', {
    name: 'Many events',
    env: 'production',
    rule,
    channels: [made.id],
  })
  const stage = { weight: 100_000, minDuration: 60_000, minUnits: 1, needsApproval: true }
  const metric = { metric: 'orders', limit: 0.1, role: 'required', onRegression: 'hold' }
  await ask('POST', '/rollout-templates', {
    ...{ key: 'careful', name: 'Careful', stages: [stage], metrics: [metric] },
  })
  const tiles = [
    { id: made.id, title: 'Notes', width: 6, height: 'small', kind: 'text', text: 'on' },
    { id: alert.id, title: '', width: 6, height: 'small', kind: 'alert', alert: alert.id },
  ]
  await ask('POST', '/dashboards', { name: 'Shop: daily', description: '', tiles, defaults: { range: '7d' } })

  expect((await run('export', folder)).out).toBe(`Wrote 4 files to ${folder}.`)
  const files = await filesIn(folder)
  expect(JSON.stringify(files)).not.toContain('hooks.example.com')
  expect(files['/alerts.yaml']).toContain('- Pager')

  const other = await newProject()
  const missing = await run('apply', folder, '--project', other, '--yes')
  expect(missing.err).toMatch(/alerts\.yaml:\d+:\d+: There is no channel "Pager"\./)
  await telltale.request('POST', `/api/v1/projects/${other}/channels`, { as: owner, body: channel })
  expect(await run('apply', folder, '--project', other, '--yes')).toMatchObject({ code: 0, err: '' })
  await run('export', `${folder}-again`, '--project', other)
  expect(await filesIn(`${folder}-again`)).toEqual(files)

  const metrics = await readFile(join(folder, 'metrics.yaml'), 'utf8')
  await writeFile(join(folder, 'metrics.yaml'), metrics.replace('€', '$'))
  const planned = await run('plan', folder, '--project', other)
  expect(planned.out).toMatch(/^metric orders: change$[\s\S]+^ {2}- unit: €\n {2}\+ unit: \$$/m)
  expect((await run('apply', folder, '--project', other, '--yes')).code).toBe(0)

  const originOf = async (kind: string, key: string) => {
    const path = `/api/v1/projects/${other}/code/origin?kind=${kind}&key=${encodeURIComponent(key)}`
    return (await telltale.request('GET', path, { as: owner })).body
  }
  const managed = [
    ['metrics', 'orders'],
    ['rolloutTemplates', 'careful'],
    ['alerts', 'Many events'],
    ['dashboards', 'Shop: daily'],
  ] as const
  for (const [kind, key] of managed) {
    expect(await originOf(kind, key)).toMatchObject({
      origin: { file: expect.stringContaining(`${kind}.yaml`) },
      drift: [],
    })
  }
  await telltale.request('PATCH', `/api/v1/projects/${other}/rollout-templates/careful`, {
    ...{ as: owner, body: { timeBox: 7_200_000 } },
  })
  const { drift } = await originOf('rolloutTemplates', 'careful')
  expect(drift[0].lines).toContainEqual({ kind: 'less', text: 'timeBox: 7200000' })
  expect((await originOf('metrics', 'orders')).drift).toEqual([])
  await writeFile(join(folder, 'metrics.yaml'), 'metrics: {}')
  const pruned = await run('plan', folder, '--project', other, '--prune')
  expect(pruned.err).toMatch(
    /rolloutTemplates\.yaml:\d+:\d+: The metric "orders" is used by the rollout template "careful"\./,
  )
})

test('teams that own flags come with it by their keys, and a file changes them only with the permission', async () => {
  const owned = (teams: string) => checkout('{ enabled: false }', `    ownerTeams: ${teams}\n`)
  await write({ 'a.yaml': owned('[billing, payments]') })
  expect((await run('plan', folder)).err).toContain('billing is not a team of this installation')
  const teams: Record<string, string> = {}
  for (const key of ['payments', 'billing']) {
    const made = await telltale.request('POST', '/api/v1/teams', { as: owner, body: { key, name: key } })
    teams[key] = made.body.id
  }
  expect(await run('apply', folder, '--yes')).toMatchObject({ code: 0, err: '' })
  const ownerTeams = [teams.billing, teams.payments]
  expect((await ask('GET', '/flags/checkout')).ownerTeams).toEqual(ownerTeams)
  expect((await run('export', `${folder}-out`)).err).toBe('')
  const files = await filesIn(`${folder}-out`)
  expect(JSON.stringify(files)).toMatch(/ownerTeams:.*- billing.*- payments/)
  await ask('PATCH', '/flags/checkout', { ownerTeams: ownerTeams.toReversed() })
  expect((await run('plan', `${folder}-out`)).out).toContain('No changes')
  const other = await newProject()
  expect((await run('apply', `${folder}-out`, '--project', other, '--yes')).code).toBe(0)
  await run('export', `${folder}-again`, '--project', other)
  expect(await filesIn(`${folder}-again`)).toEqual(files)

  await ask('PATCH', '/environments/production', { approvalRequired: true, ownerApproval: true })
  const maintainer = await telltale.person({ in: { [project]: 'maintainer' } })
  const made = await telltale.token(maintainer, { role: 'maintainer', project })
  const as = ['--token', made.headers.authorization?.slice(7) ?? '']
  await write({ 'a.yaml': owned('[payments]') })
  expect((await run('apply', folder, '--yes', ...as)).err).toContain('environments.manage')
  expect((await ask('GET', '/flags/checkout')).ownerTeams).toHaveLength(2)
})

test('a broken file is reported with file, line and column, and nothing is applied', async () => {
  await write({
    'a.yaml': checkout('{ enabled: true, fallthrough: { variation: maybe } }', '    color: red\n'),
  })
  const unknown = await run('apply', folder, '--yes')
  expect(unknown).toEqual({ code: 1, out: '', err: expect.stringMatching(/^a\.yaml:9:5: color is unknown$/) })

  await write({ 'a.yaml': checkout('{ enabled: true, fallthrough: { variation: maybe } }') })
  expect((await run('plan', folder)).err).toBe('a.yaml:8:62: The flag "checkout" has no variation "maybe".')

  const rules =
    '{ rules: [{ when: { match: all, of: [{ operator: in-segment, segment: gone }] }, serve: { variation: on } }], prerequisites: [{ flag: nowhere, variation: on }] }'
  await write({ 'a.yaml': checkout(rules), 'b.json': '{\n  "flags": { "checkout": {} }\n}' })
  expect((await run('plan', folder)).err).toBe('b.json:2:14: "checkout" is already declared in a.yaml:3:3')
  await write({ 'a.yaml': checkout(rules) })
  const dangling = (await run('plan', folder)).err.split('\n')
  expect(dangling).toEqual([
    expect.stringMatching(/^a\.yaml:8:\d+: .*gone/),
    expect.stringMatching(/^a\.yaml:8:\d+: There is no active flag "nowhere"\.$/),
  ])
  await write({
    'a.yaml': 'flags:\n  a: { name: A\n  b: 1\n',
    'b.yaml': 'flags:\n  c: {}\n  c: {}\n',
    'c.yaml': 'flag: {}\n',
  })
  const broken = (await run('plan', folder)).err
  expect(broken).toMatch(/^a\.yaml:3:\d+: /m)
  expect(broken).toMatch(/^b\.yaml:3:3: Map keys must be unique/m)
  expect(broken).toMatch(/^c\.yaml:1:1: "flag" is unknown/m)
  expect((await ask('GET', '/flags')).items).toEqual([])
})

test('of two applications at once, one wins and the other changes nothing', async () => {
  await write({ 'a.yaml': checkout('{ enabled: false }') })
  expect((await run('apply', folder, '--yes')).code).toBe(0)
  const document = (variation: string, more: object = {}) => ({
    flags: {
      checkout: {
        name: 'Checkout',
        valueType: 'boolean',
        tags: ['shop'],
        environments: { production: { enabled: true, fallthrough: { variation } } },
      },
      ...more,
    },
  })
  const bodies = [
    document('on', { one: { name: 'One', valueType: 'boolean' } }),
    document('off', { two: { name: 'Two', valueType: 'boolean' } }),
  ]
  const plans = await Promise.all(bodies.map((body) => ask('POST', '/code/plan', { document: body })))
  const answers = await Promise.all(
    bodies.map((body, index) =>
      telltale.request('POST', api('/code/apply'), {
        as: owner,
        body: { document: body, plan: plans[index].plan },
      }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  expect([...statuses].sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.type).toBe('/errors/plan-outdated')
  const winner = statuses[0] === 200 ? 'one' : 'two'
  const keys = (await ask('GET', '/flags')).items.map(({ key }: { key: string }) => key)
  expect(keys).toEqual(['checkout', winner])
  const { fallthrough, version } = await ask('GET', '/environments/production/flags/checkout/config')
  expect({ fallthrough, version }).toEqual({
    fallthrough: { variation: winner === 'one' ? 'on' : 'off' },
    version: 2,
  })
})

test('where approval is required, a change request is opened once, and replaced by the next', async () => {
  await write({ 'a.yaml': checkout('{ enabled: false }') })
  expect((await run('apply', folder, '--yes')).code).toBe(0)
  await ask('PATCH', '/environments/production', { approvalRequired: true })

  await write({ 'a.yaml': checkout('{ enabled: true }\n      staging: { enabled: true }') })
  const applied = await run('apply', folder, '--yes')
  expect(applied.out).toContain(
    'flag checkout in production: change\n  needs approval: a change request is opened',
  )
  expect(applied.out).toMatch(/Opened change request \S+ for checkout in production\./)
  expect((await ask('GET', '/environments/staging/flags/checkout/config')).enabled).toBe(true)
  expect((await ask('GET', '/environments/production/flags/checkout/config')).enabled).toBe(false)
  expect((await run('apply', folder, '--yes')).out).toContain('waits for approval in change request')
  const drift = await ask('GET', '/code')
  expect(drift.drift).toMatchObject([
    { key: 'checkout', env: 'production', waiting: { id: expect.any(String) } },
  ])

  await write({ 'a.yaml': checkout('{ enabled: true, fallthrough: { variation: off } }') })
  expect((await run('apply', folder, '--yes')).code).toBe(0)
  const { items } = await ask('GET', '/change-requests')
  expect(items.map(({ state }: { state: string }) => state)).toEqual(['open', 'withdrawn'])
})

test('a member without the permission changes nothing in a protected environment', async () => {
  await write({ 'a.yaml': checkout('{ enabled: true }', '  other: { name: Other, valueType: boolean }\n') })
  await ask('PATCH', '/environments/production', { protected: true })
  editor = await telltale.person({ in: { [project]: 'editor' } })
  const made = await telltale.token(editor, { role: 'editor', project })
  const refused = await run('apply', folder, '--yes', '--token', made.headers.authorization?.slice(7) ?? '')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('flags.change-protected')
  expect((await ask('GET', '/flags')).items).toEqual([])
})

test('what is removed from the folder stays until it is pruned, and drift is shown', async () => {
  const old =
    '  old: { name: Old, valueType: boolean }\nsegments:\n  paying: { name: Paying, when: { match: all, of: [] } }\n'
  await write({ 'flags/all.yaml': checkout('{ enabled: true }', old) })
  expect((await run('apply', folder, '--yes', '--repository', 'acme/shop', '--link', 'github')).code).toBe(0)
  const { origin } = await ask('GET', '/code/origin?kind=flags&key=checkout')
  expect(origin).toMatchObject({
    repository: 'acme/shop',
    file: 'flags/all.yaml',
    url: expect.stringContaining('acme/shop/blob/'),
  })

  const config = await ask('GET', '/environments/production/flags/checkout/config')
  await telltale.request('PUT', api('/environments/production/flags/checkout/config'), {
    as: owner,
    headers: { 'if-match': `"${config.version}"` },
    body: {
      enabled: false,
      offVariation: 'off',
      prerequisites: [],
      rules: [],
      fallthrough: { variation: 'on' },
    },
  })
  const state = await ask('GET', '/code')
  expect(state.sources).toMatchObject([{ repository: 'acme/shop', entries: 3 }])
  expect(state.drift).toMatchObject([
    {
      key: 'checkout',
      env: 'production',
      lines: [
        { kind: 'less', text: 'the flag is off' },
        { kind: 'more', text: 'the flag is on' },
        { kind: 'same', text: 'when off, serve off' },
      ],
    },
  ])
  expect(await run('plan', folder, '--repository', 'acme/shop', '--check')).toMatchObject({ code: 1 })

  await write({ 'flags/all.yaml': checkout('{ enabled: true }') })
  const kept = await run('apply', folder, '--yes', '--repository', 'acme/shop')
  expect(kept.out).toContain('flag old: keep')
  expect((await ask('GET', '/flags')).items).toHaveLength(2)
  const pruned = await run('apply', folder, '--yes', '--prune', '--repository', 'acme/shop')
  expect(pruned.out).toContain('flag old: archive')
  expect((await ask('GET', '/flags')).items).toHaveLength(1)
  expect((await ask('GET', '/segments')).items).toEqual([])
  expect((await run('plan', folder, '--prune', '--repository', 'acme/shop')).out).toContain('No changes')
})
