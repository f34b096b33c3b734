// The explanation of a gap over HTTP, from rows of the real engine: one site for each cause.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { guilty, type Planted, plantEvents } from './testing/planted-events.ts'

let telltale: Telltale
let owner: SomePerson
const flagUrl = '/api/v1/projects/shop/environments/staging/flags'
const ask = (method: string, path: string, body?: unknown) =>
  telltale.request(method, path, { as: owner, body })

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale[Symbol.asyncDispose]())

let sites = 0

/** A flag with a separate split, and users assigned by it. */
async function plant(planted: Planted, more: { people?: number; share?: number } = {}): Promise<string> {
  sites += 1
  const flag = `flag-${sites}`
  const { id: environment } = (await ask('GET', '/api/v1/projects/shop/environments/staging')).body
  await ask('POST', '/api/v1/projects/shop/flags', { key: flag, name: flag, valueType: 'boolean' })
  const fallthrough = {
    split: [
      { variation: 'off', weight: 60_000 },
      { variation: 'on', weight: 40_000 },
    ],
  }
  const saved = await ask('PUT', `${flagUrl}/${flag}/config`, {
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough,
    version: 1,
  })
  const { id: split, epoch } = saved.body.fallthrough.split
  const { telemetry, clock } = telltale.running.services
  const at = clock().getTime() + 1_000
  telltale.passTime(10_000)
  await plantEvents(telemetry, {
    environment,
    split,
    epoch,
    flag,
    planted,
    seed: sites,
    at,
    span: 5_000,
    people: more.people ?? 5_000,
    share: more.share ?? 0.4,
    arms: { treatment: 'on', control: 'off' },
  })
  return flag
}

const evidence = async (flag: string, metric: string) => {
  const { status, body } = await ask(
    'GET',
    `${flagUrl}/${flag}/impact/evidence?treatment=on&metric=${metric}`,
  )
  expect(status).toBe(200)
  return body
}

const causes: [planted: Planted, metric: string, kind: string, name: unknown][] = [
  ['issue', 'users-with-an-error', 'issue', { issue: { group: guilty.issue } }],
  ['slow-request', 'lcp', 'slow-request', { request: { endpoint: guilty['slow-request'] } }],
  [
    'failing-request',
    'failed-requests',
    'failing-request',
    { request: { endpoint: guilty['failing-request'] } },
  ],
  ['function', 'inp', 'function', { frame: { function: guilty.function }, page: '/cart' }],
  ['slice', 'users-with-an-error', 'slice', { slice: { field: 'browser', value: guilty.browser } }],
]

describe('the cause is named first, with its share of the gap and typical replays', () => {
  test.each(causes)('%s, for %s', async (...[planted, metric, kind, name]) => {
    const flag = await plant(planted)
    const body = await evidence(flag, metric)
    const [first] = body.explanations
    expect(first).toMatchObject({ kind, ...(name as object) })
    expect(first.share.estimate).toBeGreaterThan(0.6)
    expect(first.share.lower).toBeLessThanOrEqual(first.share.estimate)
    expect(first.share.upper).toBeGreaterThanOrEqual(first.share.estimate)
    expect(first.values.treatment).toBeGreaterThan(1.3 * first.values.control)
    if (kind !== 'function') expect(first.replays).toHaveLength(3)
    expect(body.missing).toBeNull()
  })
})

test('without a difference there is no contributor, but the number of comparisons', async () => {
  const flag = await plant('nothing')
  for (const metric of ['lcp', 'inp', 'rage-clicks']) {
    expect((await evidence(flag, metric)).explanations, metric).toEqual([])
  }
  const { lookedAt, explanations } = await evidence(flag, 'users-with-an-error')
  expect(explanations).toEqual([])
  expect(lookedAt).toMatchObject({ issues: 20, functions: 0 })
  expect(lookedAt.slices).toBeGreaterThan(8)
})

test('with a broken split, results are compared per observed user, without blaming missing users', async () => {
  const flag = await plant('nothing', { share: 0.6 })
  for (const metric of ['users-with-an-error', 'failed-requests'])
    expect((await evidence(flag, metric)).explanations, metric).toEqual([])
  const guiltyToo = await plant('issue', { share: 0.6 })
  const [first] = (await evidence(guiltyToo, 'users-with-an-error')).explanations
  expect(first).toMatchObject({ kind: 'issue', issue: { group: guilty.issue } })
})

test('a handful of users is too few', async () => {
  const flag = await plant('slice', { people: 60 })
  const body = await evidence(flag, 'users-with-an-error')
  expect(body.explanations).toEqual([])
  expect(body.tooFew).toBeGreaterThan(5)
})

test('an issue is named with its details', async () => {
  const flag = await plant('issue')
  const { explanations } = await evidence(flag, 'crashes')
  expect(explanations[0].issue).toMatchObject({ type: 'TypeError', message: `it broke at ${guilty.issue}` })
})
