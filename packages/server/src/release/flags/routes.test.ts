import { compileRuleSet } from '@telltale/core/evaluation/compile'
import { evaluate } from '@telltale/core/evaluation/evaluate'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { splitEpochs } from '../../platform/engines/postgres/schema.ts'
import { loadForSubject } from './load-rule-set.ts'

let telltale: Telltale
let owner: SomePerson

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})

afterAll(() => telltale[Symbol.asyncDispose]())

const flagsPath = '/api/v1/projects/shop/flags'
const configPath = (flag: string, env = 'staging') =>
  `/api/v1/projects/shop/environments/${env}/flags/${flag}/config`

const send = (method: string, path: string, body?: object) =>
  telltale.request(method, path, { as: owner, ...(body === undefined ? {} : { body }) })

/** With the version that the client has read. */
const sendOver = (version: number, request: { method: string; path: string; body: object }) =>
  telltale.request(request.method, request.path, {
    as: owner,
    headers: { 'if-match': `"${version}"` },
    body: request.body,
  })

async function createFlag(key: string, more: object = {}) {
  const answer = await send('POST', flagsPath, { key, name: key, valueType: 'boolean', ...more })
  expect(answer.body).toMatchObject({ key, version: 1 })
  return answer.body
}

const on = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'on' },
}
const half = (weight: number) => ({
  split: [
    { variation: 'on', weight },
    { variation: 'off', weight: 100_000 - weight },
  ],
})
const planIs = (value: string) => ({ match: 'all', of: [{ attribute: 'plan', operator: 'equals', value }] })

async function save(flag: string, version: number, config: object = {}) {
  return send('PUT', configPath(flag), { ...on, version, ...config })
}

test('a flag is created, targeted and tried, with the steps that led to its answer', async () => {
  await createFlag('checkout')
  const saved = await save('checkout', 1, {
    rules: [{ when: planIs('pro'), serve: { variation: 'on' } }],
    fallthrough: { variation: 'off' },
    reason: 'Paying customers first',
  })
  expect(saved.status).toBe(200)
  expect(saved.headers.get('etag')).toBe('"2"')
  const [rule] = saved.body.rules

  const tried = await send('POST', '/api/v1/projects/shop/environments/staging/evaluate', {
    context: { targetingKey: 'ada', plan: 'pro' },
    flags: ['checkout', 'unknown'],
  })
  expect(tried.body.items[0]).toMatchObject({
    flag: 'checkout',
    value: true,
    variation: 'on',
    reason: 'TARGETING_MATCH',
    ruleId: rule.id,
    trace: { steps: [{ kind: 'enabled' }, { kind: 'rule', matched: true, of: [{ actual: 'pro' }] }, {}] },
  })
  expect(tried.body.items[1]).toMatchObject({ errorCode: 'FLAG_NOT_FOUND', variation: null })

  const { body: list } = await send('GET', `${flagsPath}?search=check`)
  expect(list.items[0].environments).toMatchObject([
    { env: 'production', enabled: false, version: 1, serves: [{ variation: 'off', weight: 100_000 }] },
    { env: 'staging', enabled: true, version: 2, rules: 1 },
    { env: 'development', enabled: false, version: 1 },
  ])
})

test('saving over an outdated version returns the current one, and changes nothing', async () => {
  await createFlag('contested')
  const answers = await Promise.all([
    save('contested', 1, { enabled: true }),
    save('contested', 1, { fallthrough: { variation: 'off' } }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const won = answers.find(({ status }) => status === 200)
  const lost = answers.find(({ status }) => status === 409)
  expect(lost?.body).toMatchObject({ type: '/errors/version-conflict', current: won?.body })
  expect((await send('GET', configPath('contested'))).body).toEqual(won?.body)
})

test('saving the same configuration changes nothing, and a save must name its base version', async () => {
  await createFlag('same')
  const first = await save('same', 1, { fallthrough: half(20_000) })
  const again = await save('same', 2, { fallthrough: half(20_000) })
  expect(again.body).toEqual(first.body)

  const unsaid = await send('PUT', configPath('same'), on)
  expect(unsaid.body.errors[0].pointer).toBe('/version')
  const said = await sendOver(2, { method: 'PUT', path: configPath('same'), body: on })
  expect(said.body.version).toBe(3)
})

async function servedOn(flag: string): Promise<Set<string>> {
  const { db } = telltale.running.services
  const { body } = await send('GET', '/api/v1/projects/shop/environments/staging')
  const ruleSet = compileRuleSet(await loadForSubject(db, body.id, undefined))
  const keys = Array.from({ length: 10_000 }, (_, index) => `user-${index}`)
  return new Set(keys.filter((targetingKey) => evaluate(ruleSet, flag, { targetingKey }).value === true))
}

test('growing a weight keeps its users, and turning off and on brings the same users back', async () => {
  await createFlag('rollout')
  const small = await save('rollout', 1, { fallthrough: half(10_000) })
  const early = await servedOn('rollout')
  const grown = await save('rollout', 2, { fallthrough: half(40_000) })
  const later = await servedOn('rollout')

  expect(early.size).toBeGreaterThan(800)
  expect([...early].filter((key) => !later.has(key))).toEqual([])
  expect(grown.body.fallthrough.split).toMatchObject({ id: small.body.fallthrough.split.id, epoch: 2 })

  await save('rollout', 3, { fallthrough: { variation: 'off' } })
  const back = await save('rollout', 4, { fallthrough: half(40_000) })
  expect(await servedOn('rollout')).toEqual(later)
  expect(back.body.fallthrough.split).toMatchObject({ id: small.body.fallthrough.split.id, epoch: 3 })

  const epochs = await telltale.running.services.db
    .select()
    .from(splitEpochs)
    .where(eq(splitEpochs.splitId, BigInt(small.body.fallthrough.split.id)))
    .orderBy(splitEpochs.epoch)
  expect(epochs.map(({ endedAt }) => endedAt === null)).toEqual([false, false, true])
})

test('a change elsewhere in the configuration leaves the epoch of a split alone', async () => {
  await createFlag('calm')
  await save('calm', 1, { fallthrough: half(30_000) })
  const after = await save('calm', 2, {
    fallthrough: half(30_000),
    rules: [{ when: planIs('pro'), serve: half(50_000) }],
  })
  expect(after.body.fallthrough.split.epoch).toBe(1)
  expect(after.body.rules[0].serve.split.epoch).toBe(1)
})

test('a circle of prerequisites is refused by name', async () => {
  await createFlag('hen')
  await createFlag('egg')
  const stands = (flag: string) => ({ prerequisites: [{ flag, variation: 'on' }] })
  expect((await save('hen', 1, stands('egg'))).status).toBe(200)
  const refused = await save('egg', 1, stands('hen'))

  expect(refused.body).toMatchObject({ type: '/errors/prerequisite-cycle', status: 422 })
  expect(refused.body.errors[0].message).toContain('egg → hen → egg')
  expect((await send('GET', configPath('egg'))).body.version).toBe(1)

  const archived = await send('POST', `${flagsPath}/egg/archive`)
  expect(archived.body).toMatchObject({ type: '/errors/in-use' })
  expect(archived.body.detail).toContain('"hen" in staging')
})

test('a protected environment is changed by maintainers alone', async () => {
  await createFlag('careful')
  const editor = await telltale.person({ in: { shop: 'editor' } })
  const maintainer = await telltale.person({ in: { shop: 'maintainer' } })
  const path = configPath('careful', 'production')
  const body = { ...on, version: 1 }

  const refused = await telltale.request('PUT', path, { as: editor, body })
  expect(refused.body).toMatchObject({ status: 403, permission: 'flags.change-protected' })
  expect((await telltale.request('PUT', configPath('careful'), { as: editor, body })).status).toBe(200)
  expect((await telltale.request('PUT', path, { as: maintainer, body })).status).toBe(200)
})

test('a variation in use cannot be deleted, and the error names its uses', async () => {
  const variations = ['red', 'green', 'blue'].map((key) => ({ key, value: key }))
  await createFlag('colour', { valueType: 'string', variations })
  await save('colour', 1, { offVariation: 'red', fallthrough: { variation: 'green' } })

  const refused = await send('PATCH', `${flagsPath}/colour`, { variations: variations.slice(0, 1) })
  expect(refused.body.detail).toContain('"green" as fallthrough in staging')
  const kept = await send('PATCH', `${flagsPath}/colour`, { variations: variations.slice(0, 2) })
  expect(kept.body).toMatchObject({ version: 2, variations: [{ key: 'red' }, { key: 'green' }] })
})

test('an old version is restored as a new one, and a configuration is copied to another environment', async () => {
  await createFlag('history')
  await save('history', 1, { rules: [{ when: planIs('pro'), serve: half(10_000) }] })
  await save('history', 2, { enabled: false })
  const restored = await send('POST', `${configPath('history')}/versions/2/restore`, { reason: 'Back' })
  expect(restored.body).toMatchObject({ version: 4, enabled: true, rules: [{}] })

  const { body: versions } = await send('GET', `${configPath('history')}/versions`)
  expect(versions.items).toMatchObject([
    { version: 4, reason: 'Back', actor: { kind: 'user', id: owner.id } },
    { version: 3 },
    { version: 2 },
    { version: 1 },
  ])
  const second = await send('GET', `${configPath('history')}/versions/2`)
  expect(second.body.config).toMatchObject({ version: 2, enabled: true })

  const copied = await send('POST', `${configPath('history', 'development')}/copy`, { from: 'staging' })
  expect(copied.body).toMatchObject({ version: 2, enabled: true, rules: [{ when: planIs('pro') }] })
  expect(copied.body.rules[0].serve.split.id).not.toBe(restored.body.rules[0].serve.split.id)
})

test('a flag is archived, restored and deleted, and a new environment has every flag', async () => {
  await createFlag('fleeting')
  const early = await send('DELETE', `${flagsPath}/fleeting?confirm=fleeting`)
  expect(early.body.type).toBe('/errors/in-use')
  expect((await send('POST', `${flagsPath}/fleeting/archive`)).body.archivedAt).not.toBeNull()
  expect((await save('fleeting', 1)).body.type).toBe('/errors/flag-not-found')
  expect((await send('POST', `${flagsPath}/fleeting/restore`)).body.archivedAt).toBeNull()

  await send('POST', '/api/v1/projects/shop/environments', { key: 'preview', name: 'Preview' })
  expect((await send('GET', configPath('fleeting', 'preview'))).body).toMatchObject({ version: 1 })

  await send('POST', `${flagsPath}/fleeting/archive`)
  expect((await send('DELETE', `${flagsPath}/fleeting?confirm=fleeting`)).status).toBe(204)
  expect((await send('GET', `${flagsPath}/fleeting`)).status).toBe(404)
})

test.each([
  [
    'a text for a boolean',
    { valueType: 'boolean', variations: [{ key: 'on', value: 'x' }] },
    '/variations/0/value',
  ],
  [
    'a key twice',
    {
      valueType: 'number',
      variations: [
        { key: 'a', value: 1 },
        { key: 'a', value: 2 },
      ],
    },
    '/variations/1/key',
  ],
  ['no variations', { valueType: 'string' }, '/variations'],
  [
    'a value that is not what its schema says',
    {
      valueType: 'json',
      valueSchema: { type: 'object', properties: { size: { type: 'integer' } } },
      variations: [{ key: 'a', value: { size: 'big' } }],
    },
    '/variations/0/value/size',
  ],
  [
    'an expression in a schema',
    { valueType: 'string', valueSchema: { pattern: '(a+)+$' }, variations: [{ key: 'a', value: 'a' }] },
    '/valueSchema/pattern',
  ],
  [
    'a value of 65 KiB',
    { valueType: 'json', variations: [{ key: 'a', value: 'x'.repeat(66_000) }] },
    '/variations/0/value',
  ],
  [
    'an owner who is nobody',
    { valueType: 'boolean', owners: ['01900000-0000-7000-8000-000000000000'] },
    '/owners/0',
  ],
])('a flag with %s is refused', async (_, draft, pointer) => {
  const refused = await send('POST', flagsPath, { key: 'bad', name: 'Bad', ...draft })
  expect(refused.body).toMatchObject({ type: '/errors/invalid-request', status: 400 })
  expect(refused.body.errors[0].pointer).toBe(pointer)
  expect((await send('GET', `${flagsPath}/bad`)).status).toBe(404)
})

test.each([
  [
    'an unknown variation',
    { fallthrough: { variation: 'blue' } },
    { code: 'invalid-request', pointer: '/fallthrough/variation' },
  ],
  [
    'weights that miss the whole',
    { fallthrough: { split: [{ variation: 'on', weight: 1 }] } },
    { code: 'invalid-weights', pointer: '/fallthrough/split' },
  ],
  [
    'a broken expression',
    {
      rules: [
        {
          when: { match: 'all', of: [{ attribute: 'a', operator: 'matches', value: '(' }] },
          serve: { variation: 'on' },
        },
      ],
    },
    { code: 'invalid-rule', pointer: '/rules/0/when/of/0/value' },
  ],
  [
    'an unknown segment',
    {
      rules: [
        {
          when: { match: 'all', of: [{ operator: 'in-segment', segment: 'nobody' }] },
          serve: { variation: 'on' },
        },
      ],
    },
    { code: 'invalid-rule', pointer: '/rules/0/when/of/0/segment' },
  ],
])('a configuration with %s is refused', async (name, config, fault) => {
  const key = `bad-${name.replaceAll(' ', '-')}`
  await createFlag(key)
  const refused = await save(key, 1, config)
  expect(refused.body.type).toBe(`/errors/${fault.code}`)
  expect(refused.body.errors[0].pointer).toBe(fault.pointer)
  expect((await send('GET', configPath(key))).body.version).toBe(1)
})

test('an override takes precedence over the rules until it is removed', async () => {
  await createFlag('special')
  await save('special', 1, { fallthrough: { variation: 'off' } })
  const path = '/api/v1/projects/shop/environments/staging/flags/special/overrides'
  const trial = async () => {
    const answer = await send('POST', '/api/v1/projects/shop/environments/staging/evaluate', {
      context: { targetingKey: 'ada@example.com' },
      flags: ['special'],
    })
    return answer.body.items[0].value
  }
  expect((await send('PUT', `${path}/ada%40example.com`, { variation: 'blue' })).status).toBe(400)
  expect((await send('PUT', `${path}/ada%40example.com`, { variation: 'on' })).status).toBe(200)
  expect((await send('PUT', `${path}/%00`, { variation: 'on' })).status).toBe(404)
  expect((await send('GET', path)).body.items).toMatchObject([{ targetingKey: 'ada@example.com' }])
  expect(await trial()).toBe(true)
  expect((await send('DELETE', `${path}/ada%40example.com`)).status).toBe(204)
  expect(await trial()).toBe(false)
})

test('a segment in use cannot be deleted, and the error names its uses', async () => {
  const path = '/api/v1/projects/shop/segments'
  const created = await send('POST', path, { key: 'pros', name: 'Pros', when: planIs('pro') })
  expect(created.status).toBe(201)
  const nested = { match: 'all', of: [{ operator: 'in-segment', segment: 'pros' }] }
  const inside = await send('POST', path, { key: 'inner', name: 'Inner', when: nested })
  expect(inside.body).toMatchObject({ type: '/errors/invalid-rule' })

  await createFlag('for-pros')
  await save('for-pros', 1, { rules: [{ when: nested, serve: { variation: 'on' } }] })
  expect((await send('GET', `${path}/pros`)).body.usedBy).toEqual([{ flag: 'for-pros', env: 'staging' }])
  expect((await send('GET', path)).body.items).toMatchObject([{ key: 'pros', usedByFlags: 1 }])
  expect((await send('DELETE', `${path}/pros`)).body.detail).toContain('"for-pros" in staging')

  const change = { method: 'PATCH', path: `${path}/pros` }
  const changed = await sendOver(1, { ...change, body: { when: planIs('max') } })
  expect(changed.body).toMatchObject({ version: 2, when: planIs('max') })
  expect((await sendOver(1, { ...change, body: { name: 'X' } })).status).toBe(409)
  await save('for-pros', 2)
  expect((await send('DELETE', `${path}/pros`)).status).toBe(204)
})
