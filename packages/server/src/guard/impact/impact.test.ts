import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { type GuardEvent, sendEvents } from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { inviteVisitors } from '../evidence/testing/visitors.ts'

let telltale: Telltale
let owner: SomePerson
let split: { id: string; epoch: number }
let environment: string
const flagUrl = '/api/v1/projects/shop/environments/staging/flags'

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  environment = (await ask('GET', '/api/v1/projects/shop/environments/staging')).body.id
  split = await splitFlag('checkout')
  const site = {
    environment,
    split: split.id,
    errors: { treatment: 0.2, control: 0.04 },
    lcp: { treatment: 1_500, control: 1_500 },
  }
  const people = inviteVisitors(site, 4).arrive(1_500, new Date(), { epoch: split.epoch, share: 0.4 })
  await sendEvents(telltale.running.services.telemetry, withArmNames(people), 'impact')
})
afterAll(() => telltale[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: unknown) =>
  telltale.request(method, path, { as: owner, body })

/** A flag with this key that serves `on` to 40 %. */
async function splitFlag(key: string): Promise<{ id: string; epoch: number }> {
  await ask('POST', '/api/v1/projects/shop/flags', { key, name: key, valueType: 'boolean' })
  const saved = await ask('PUT', `${flagUrl}/${key}/config`, {
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    rules: [],
    fallthrough: {
      split: [
        { variation: 'off', weight: 60_000 },
        { variation: 'on', weight: 40_000 },
      ],
    },
    version: 1,
  })
  return saved.body.fallthrough.split
}

const withArmNames = (events: readonly GuardEvent[]) =>
  events.map((event) => ({
    ...event,
    arms: event.arms.map((arm) => ({ ...arm, arm: arm.arm === 'treatment' ? 'on' : 'off' })),
  }))

const impact = (query = '', flag = 'checkout') => ask('GET', `${flagUrl}/${flag}/impact${query}`)

test('the comparison with the largest arm: harm, verdict and numbers by metric', async () => {
  const { status, body } = await impact()
  expect(status).toBe(200)
  expect(body.splits).toEqual([
    expect.objectContaining({
      split: split.id,
      place: 'fallthrough',
      by: 'targetingKey',
      epoch: 1,
      endedAt: null,
    }),
  ])
  expect(body.compared).toMatchObject({
    split: split.id,
    epochs: { first: 1, last: 1 },
    control: 'off',
    rollout: null,
  })
  const [comparison] = body.compared.comparisons
  expect(comparison).toMatchObject({ treatment: 'on', split: 'as-designed', crossed: 0 })
  expect(comparison.units.treatment + comparison.units.control).toBe(1_500)
  const of = (key: string) => comparison.metrics.find(({ metric }: { metric: string }) => metric === key)
  expect(of('users-with-an-error')).toMatchObject({ state: 'regressed', better: 'lower', limit: 0.25 })
  expect(of('users-with-an-error').harm.lower).toBeGreaterThan(1)
  expect(of('lcp')).toMatchObject({ state: 'watching', unit: 'ms' })
  expect(of('lcp').values.control).toBeGreaterThan(1_500)
  expect(of('rage-clicks')).toMatchObject({
    state: 'collecting',
    missing: 'too-few-events',
    harm: { upper: null },
  })
  expect(of('inp')).toMatchObject({ state: 'collecting', missing: 'no-units', harm: null })
})

test('without a rollout all intervals of the panel are one family: every metric of every arm has its share', async () => {
  const { body } = await impact()
  const [comparison, ...others] = body.compared.comparisons
  expect(others).toEqual([])
  const both = comparison.metrics.map(({ alpha, beta }: { alpha: number; beta: number }) => alpha + beta)
  expect(both.length).toBeGreaterThanOrEqual(14)
  expect(both.reduce((sum: number, one: number) => sum + one, 0)).toBeCloseTo(0.05, 12)
  const [first] = comparison.metrics
  const { body: history } = await impact(`/history?treatment=on&metric=${first.metric}`)
  expect(history).toMatchObject({ alpha: first.alpha, beta: first.beta })
  const { body: slices } = await impact('/slices?treatment=on&metric=lcp&by=browser')
  const lcp = comparison.metrics.find(({ metric }: { metric: string }) => metric === 'lcp')
  expect(slices, 'one slice is the whole').toMatchObject({ alpha: lcp.alpha, beta: lcp.beta })
})

test('the split is checked with designed and actual shares', async () => {
  const { body } = await impact()
  const [{ check, units }] = body.compared.comparisons
  expect(check.designed).toBe(0.4)
  expect(check.seen).toBeCloseTo(units.treatment / (units.treatment + units.control), 12)
  expect(check.p).toBeGreaterThan(0.05)
  expect(body.splits[0].epochs).toMatchObject([{ epoch: 1, endedAt: null, arms: [{}, {}] }])
})

test('the history of a metric ends with the current values', async () => {
  const { body: now } = await impact()
  const { status, body } = await impact('/history?treatment=on&metric=users-with-an-error')
  expect(status).toBe(200)
  expect(body.points.length).toBe(40)
  const errors = now.compared.comparisons[0].metrics.find(
    ({ metric }: { metric: string }) => metric === 'users-with-an-error',
  )
  const { harm, units, values } = errors
  expect(body.points.at(-1)).toMatchObject({ harm, units, values })
  const counts = body.points.map(({ units: { control } }: { units: { control: number } }) => control)
  expect(counts).toEqual(counts.toSorted((a: number, b: number) => a - b))
  expect((await impact('/history?treatment=blue&metric=lcp')).status).toBe(404)
  expect((await impact('/history?treatment=on&metric=none')).status).toBe(404)
})

test('a slice with all users equals the whole', async () => {
  const { body: now } = await impact()
  const { body } = await impact('/slices?treatment=on&metric=lcp&by=browser')
  const lcp = now.compared.comparisons[0].metrics.find(({ metric }: { metric: string }) => metric === 'lcp')
  const { harm, units, values } = lcp
  expect(body.items).toMatchObject([{ value: 'Chrome', units, values }])
  // Sums of the same numbers in another order differ in the last digit.
  for (const end of ['lower', 'estimate', 'upper']) {
    expect(body.items[0].harm[end]).toBeCloseTo(harm[end], 9)
  }
  expect((await impact('/slices?treatment=on&metric=lcp&by=moon')).status).toBe(400)
})

test('another control reverses the comparison', async () => {
  const { body } = await impact('?control=on')
  const errors = body.compared.comparisons[0].metrics.find(
    ({ metric }: { metric: string }) => metric === 'users-with-an-error',
  )
  expect(body.compared.control).toBe('on')
  expect(errors.harm.upper).toBeLessThan(0)
})

test('a flag without a split has no comparison, and unknown ones are not found', async () => {
  await ask('POST', '/api/v1/projects/shop/flags', { key: 'plain', name: 'Plain', valueType: 'boolean' })
  expect((await impact('', 'plain')).body).toEqual({ splits: [], compared: null })
  for (const query of ['?split=404404', '?epoch=9', '?control=blue'])
    expect((await impact(query)).status).toBe(404)
  expect((await impact('?epoch=0')).status).toBe(400)
})

test('the last INP and CLS of a view count, in any order and number of arrivals', async () => {
  const { id, epoch } = await splitFlag('answers')
  const site = {
    environment,
    split: id,
    errors: { treatment: 0, control: 0 },
    lcp: { treatment: 1_500, control: 1_500 },
  }
  const people = inviteVisitors(site, 5).arrive(1_000, new Date(), { epoch, share: 0.4 })
  const views = people.filter(({ kind }) => kind === 'view')
  const last = 4
  /** The vitals of each view when it was hidden for the nth time; the treatment gets worse at the end. */
  const reported = (rev: number) =>
    views.flatMap((view, person): GuardEvent[] => {
      const isWorse = rev === last && view.arms[0]?.arm === 'treatment'
      return [
        { name: 'INP', value: isWorse ? 328 : 24 },
        { name: 'CLS', value: isWorse ? 0.27 : 0.01 },
      ].map((vital, index) => ({
        ...view,
        ...vital,
        kind: 'vital',
        rev,
        id: uuidOf(4, (rev * 2 + index) * views.length + person),
        view: uuidOf(3, person),
      }))
    })
  const { telemetry } = telltale.running.services
  await sendEvents(telemetry, withArmNames(people), 'answers')
  // The last report before others, and the first again in another batch.
  for (const [index, rev] of [0, 1, last, 3, 2, 0].entries())
    await sendEvents(telemetry, withArmNames(reported(rev)), `answers-${index}`)

  const [comparison] = (await impact('', 'answers')).body.compared.comparisons
  for (const [metric, treatment, control] of [
    ['inp', 328, 24],
    ['cls', 0.27, 0.01],
  ] as const) {
    const whole = comparison.metrics.find((one: { metric: string }) => one.metric === metric)
    const query = `treatment=on&metric=${metric}`
    const { points } = (await impact(`/history?${query}`, 'answers')).body
    const { items } = (await impact(`/slices?${query}&by=browser`, 'answers')).body
    for (const { units, values } of [whole, points.at(-1), items[0]]) {
      expect(units).toEqual(comparison.units)
      // A bucket is 2 % wide.
      expect(values.treatment / treatment).toBeCloseTo(1, 1)
      expect(values.control / control).toBeCloseTo(1, 1)
    }
  }
})

const uuidOf = (kind: number, number: number) =>
  `0190b3a4-000${kind}-7000-8000-${String(number).padStart(12, '0')}`
