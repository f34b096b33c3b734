import type { Evaluation } from '@telltale/core/contract/trace'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Credential, startTelltale, type Telltale } from '../../../../../test/start.ts'

const day = 86_400_000

let telltale: Telltale
/** A token, because sessions would expire as months pass. */
let owner: Credential
let project: string

beforeAll(async () => {
  telltale = await startTelltale({ settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  owner = await telltale.token(await telltale.person({ role: 'owner' }), { role: 'owner' })
})

afterAll(() => telltale[Symbol.asyncDispose]())

/** Each test has a separate project. */
let projects = 0
beforeEach(async () => {
  projects += 1
  project = `shop-${projects}`
  await telltale.project(project)
})

const send = (method: string, path: string, body?: object) =>
  telltale.request(method, `/api/v1/projects/${project}${path}`, {
    as: owner,
    ...(body === undefined ? {} : { body }),
  })

async function createFlag(key: string, more: object = {}): Promise<void> {
  const { status } = await send('POST', '/flags', { key, name: key, valueType: 'boolean', ...more })
  expect(status).toBe(201)
}

const on = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'on' },
}

async function save(flag: string, version: number, config: object = {}): Promise<string> {
  const path = `/environments/production/flags/${flag}/config`
  const { status, body } = await send('PUT', path, { ...on, version, ...config })
  expect(status).toBe(200)
  return body.savedAt
}

const evaluation: Evaluation = Object.freeze({
  value: true,
  variation: 'on',
  reason: 'STATIC',
  ruleId: undefined,
  split: undefined,
  prerequisite: undefined,
  overridden: false,
  errorCode: undefined,
})

async function evaluate(flag: string, env = 'production'): Promise<void> {
  const { id } = (await send('GET', `/environments/${env}`)).body
  const { evaluationCounts } = telltale.running.services
  evaluationCounts.counterOf(id, flag, evaluation).count += 1
  await evaluationCounts.flush()
}

const get = async (flag: string) => (await send('GET', `/flags/${flag}`)).body
const half = {
  split: [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ],
}

test('a flag goes from new to live, rolled out and stale, each with evidence', async () => {
  await createFlag('checkout')
  expect((await get('checkout')).lifecycle).toMatchObject({ state: 'new', lastEvaluatedAt: null })

  await save('checkout', 1, { fallthrough: half })
  await evaluate('checkout')
  const live = await get('checkout')
  expect(live.lifecycle).toMatchObject({ state: 'live', env: 'production' })
  expect(live.environments.map(({ lifecycle }: { lifecycle: { state: string } }) => lifecycle.state)).toEqual(
    ['live', 'new', 'new'],
  )
  expect(live.environments[0].lastEvaluatedAt).toBe(live.lifecycle.lastEvaluatedAt)

  const since = await save('checkout', 2)
  telltale.passTime(10 * day)
  await save('checkout', 3, { rules: [{ when: { match: 'all', of: [] }, serve: { variation: 'on' } }] })
  telltale.passTime(5 * day)
  await evaluate('checkout')
  expect((await get('checkout')).lifecycle).toMatchObject({
    state: 'rolled-out',
    because: 'one-variation',
    variation: 'on',
    env: 'production',
    since,
  })
  telltale.passTime(16 * day)
  await evaluate('checkout')
  expect((await get('checkout')).lifecycle).toMatchObject({ state: 'stale', because: 'one-variation', since })
})

test('another variation to everyone restarts the time, and so does one after several', async () => {
  await createFlag('banner')
  await save('banner', 1)
  await evaluate('banner')
  telltale.passTime(20 * day)
  await evaluate('banner')
  expect((await get('banner')).lifecycle.state).toBe('rolled-out')
  const off = await save('banner', 2, { fallthrough: { variation: 'off' } })
  expect((await get('banner')).lifecycle.state).toBe('live')
  telltale.passTime(14 * day)
  // Turned off, it still serves the same to all users.
  await save('banner', 3, { enabled: false })
  expect((await get('banner')).lifecycle).toMatchObject({ state: 'rolled-out', variation: 'off', since: off })
})

test('an override with another variation keeps a flag from being rolled out', async () => {
  await createFlag('special')
  await save('special', 1)
  await evaluate('special')
  telltale.passTime(20 * day)
  await evaluate('special')
  const path = '/environments/production/flags/special/overrides/ada'
  await send('PUT', path, { variation: 'on' })
  expect((await get('special')).lifecycle.state).toBe('rolled-out')
  await send('PUT', path, { variation: 'off' })
  expect((await get('special')).lifecycle.state).toBe('live')
})

test('prerequisites are evaluated with their flags', async () => {
  for (const key of ['bottom', 'middle', 'top']) await createFlag(key)
  await save('middle', 1, { prerequisites: [{ flag: 'bottom', variation: 'on' }] })
  await save('top', 1, { prerequisites: [{ flag: 'middle', variation: 'on' }] })
  telltale.passTime(limits.flagStaleAfter)
  expect((await get('bottom')).lifecycle.state).toBe('stale')
  await evaluate('top')

  const { lifecycle, environments } = await get('bottom')
  expect(lifecycle).toMatchObject({ state: 'live', env: 'production' })
  expect(environments[0].lastEvaluatedAt).toBe((await get('top')).lifecycle.lastEvaluatedAt)
  expect(environments[1].lastEvaluatedAt).toBeNull()
})

test('flags are listed by lifecycle, page by page', async () => {
  for (const key of ['a', 'b', 'c', 'd', 'e']) await createFlag(key)
  await createFlag('kept', { permanent: true })
  await createFlag('asked')
  telltale.passTime(limits.flagStaleAfter)
  await evaluate('asked')
  await createFlag('fresh')
  await send('POST', '/flags/e/archive')

  const keysOf = async (query: string) => {
    const keys: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await send('GET', `/flags?${query}${cursor && `&cursor=${cursor}`}`)
      keys.push(...body.items.map(({ key }: { key: string }) => key))
      cursor = body.next
    }
    return keys
  }
  expect(await keysOf('lifecycle=stale&limit=3')).toEqual(['a', 'b', 'c', 'd'])
  expect(await keysOf('lifecycle=new&limit=1')).toEqual(['fresh', 'kept'])
  expect(await keysOf('lifecycle=archived')).toEqual(['e'])
  expect(await keysOf('lifecycle=stale&search=b')).toEqual(['b'])
  expect(await keysOf('lifecycle=live')).toEqual(['asked'])
})

test('an archived flag is deleted a week after its last evaluation, or with its typed key', async () => {
  for (const key of ['calm', 'busy', 'forced']) await createFlag(key)
  await evaluate('busy', 'staging')
  await evaluate('forced')
  const remove = async (key: string, query = '') => await send('DELETE', `/flags/${key}${query}`)

  expect((await remove('calm')).body).toMatchObject({ type: '/errors/in-use' })
  for (const key of ['calm', 'busy', 'forced']) await send('POST', `/flags/${key}/archive`)
  expect((await remove('calm')).status).toBe(204)

  const refused = await remove('busy')
  expect(refused.body).toMatchObject({ type: '/errors/in-use', status: 409 })
  expect(refused.body.detail).toContain((await get('busy')).lifecycle.lastEvaluatedAt)
  expect((await remove('busy', '?confirm=calm')).status).toBe(400)
  expect((await remove('forced', '?confirm=forced')).status).toBe(204)

  telltale.passTime(limits.flagDeletableAfter)
  expect((await remove('busy')).status).toBe(204)
})

test('evaluations of an archived flag prevent its deletion', async () => {
  await createFlag('wanted')
  await send('POST', '/flags/wanted/archive')
  const { id } = (await send('GET', '/environments/production')).body
  const { evaluationCounts } = telltale.running.services
  evaluationCounts.countMissing(id, 'wanted')
  await evaluationCounts.flush()
  expect((await send('DELETE', '/flags/wanted')).body).toMatchObject({ type: '/errors/in-use' })
})
