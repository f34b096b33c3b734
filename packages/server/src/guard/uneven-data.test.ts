// From events to decisions with the data that browsers really send: rounded values, and users with thousands of views.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GuardedSite, stage } from '../../../../test/guard/guarded-site.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../test/start.ts'

// It looks when a test says so.
const settings = { TELLTALE_GUARD_INTERVAL: '3600000', TELLTALE_MANAGEMENT_RATE: '100000' }

let telltale: Telltale
let owner: SomePerson
beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
})
afterAll(() => telltale[Symbol.asyncDispose]())

type Vital = NonNullable<Parameters<typeof GuardedSite.open>[2]['vital']>

const guarded = (metric: string, limit: number, weight: number) => ({
  stages: [stage(weight), stage(100_000)],
  metrics: [{ metric, limit, role: 'required', onRegression: 'roll-back' }],
})

/** INP as browsers report it, in steps of 8 ms, with this share at 96 ms and the rest above. */
const inSteps = (shares: Record<'treatment' | 'control', number>): Vital => ({
  name: 'INP',
  of: (arm, person) => {
    const isFast = Math.floor((person + 1) * shares[arm]) > Math.floor(person * shares[arm])
    return [isFast ? 96 : 104 + 8 * (person % 5)]
  },
})

test('INP in steps of 8 ms with its percentile on a step: chance does not roll back', async () => {
  const site = await GuardedSite.open(telltale, owner, {
    flag: 'stepped',
    vital: inSteps({ treatment: 0.734, control: 0.766 }),
    more: guarded('inp', 0.02, 50_000),
  })
  await site.pass(4_000)
  const { state, seen } = await site.ask('GET')
  expect(state).toBe('running')
  expect(seen.findings[0].harm.lower).toBeLessThan(0)
  await site.end()
})

test('INP in steps of 8 ms: what is slower is rolled back', async () => {
  const site = await GuardedSite.open(telltale, owner, {
    flag: 'stepped-slower',
    vital: inSteps({ treatment: 0.4, control: 0.75 }),
    more: guarded('inp', 0.02, 50_000),
  })
  await site.pass(4_000)
  expect(await site.log()).toEqual(['start started', 'roll-back regressed inp'])
})

/** Six views each, and one user of the treatment with 8,000. */
const withOneHeavy = (slower: { treatment: number; heavy: number }): Vital => ({
  name: 'LCP',
  of: (arm, person, random) => {
    const isHeavy = arm === 'treatment' && person === 0
    const factor = isHeavy ? slower.heavy : arm === 'treatment' ? slower.treatment : 1
    const habit = isHeavy ? 0 : 0.4 * random.normal()
    return Array.from(
      { length: isHeavy ? 8_000 : 6 },
      () => 1_500 * factor * Math.exp(habit + 0.3 * random.normal()),
    )
  },
})

test('one user with 8,000 slow views does not roll back a harmless change, and is shown', async () => {
  const site = await GuardedSite.open(telltale, owner, {
    flag: 'heavy-slow',
    vital: withOneHeavy({ treatment: 1, heavy: 1.9 }),
    more: guarded('lcp', 0.1, 5_000),
  })
  await site.pass(4_000)
  const { state, seen } = await site.ask('GET')
  expect(state).toBe('running')
  const [{ harm, quality, values }] = seen.findings
  expect(harm.lower).toBeLessThan(0.1)
  expect(Math.abs(values.treatment / values.control - 1)).toBeLessThan(0.3)
  expect(quality.leftOut).toEqual({ treatment: 1, control: 0 })
  expect(quality.largestShare.treatment).toBeGreaterThan(0.8)
  expect(quality.effectiveUnits.treatment).toBeGreaterThan(100)
  await site.end()
})

test('one user with 8,000 fast views does not hide that everyone else waits 60 % longer', async () => {
  const site = await GuardedSite.open(telltale, owner, {
    flag: 'heavy-fast',
    vital: withOneHeavy({ treatment: 1.6, heavy: 0.6 }),
    more: guarded('lcp', 0.1, 5_000),
  })
  await site.pass(4_000)
  expect(await site.log()).toEqual(['start started', 'roll-back regressed lcp'])
})
