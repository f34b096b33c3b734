import { seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import { type GuardEvent, sendEvents } from '../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import { experiments } from '../../platform/engines/postgres/experiment-schema.ts'
import { inviteVisitors, type Site } from '../evidence/testing/visitors.ts'
import { plainEvent, type SentArm } from './testing/plain-event.ts'
import {
  type ByHand,
  countByHand,
  type Did,
  eventsOf,
  instantOf,
  jumps,
  windowSteps,
} from './testing/window-world.ts'

let telltale: Telltale
let owner: SomePerson
let environment: string
const project = '/api/v1/projects/shop'
const flagUrl = `${project}/environments/staging/flags`

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
  owner = await telltale.person({ role: 'owner' })
  await telltale.project('shop')
  environment = (await ask('GET', `${project}/environments/staging`)).body.id
  for (const aggregation of ['sum', 'count-per-user', 'proportion'])
    await ask('POST', `${project}/metrics`, {
      ...{ key: `paid-${aggregation}`, name: `Paid, ${aggregation}`, event: 'paid', aggregation },
      ...{ better: 'higher', unit: '€' },
    })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const ask = (method: string, path: string, body?: unknown) =>
  telltale.request(method, path, { as: owner, body })

const split = [
  { variation: 'off', weight: 50_000 },
  { variation: 'on', weight: 50_000 },
]

async function splitFlag(key: string): Promise<void> {
  await ask('POST', `${project}/flags`, { key, name: key, valueType: 'boolean', clientVisible: true })
  await serve(key, { split }, { version: 1 })
}

const serve = (key: string, fallthrough: object, { version, offVariation = 'off', enabled = true }: Served) =>
  ask('PUT', `${flagUrl}/${key}/config`, {
    ...{ enabled, offVariation, prerequisites: [], rules: [], fallthrough, version },
  })

interface Served {
  version: number
  offVariation?: string
  enabled?: boolean
}

const goal = (metric: string) => ({ metric, gain: 0.1, margin: 0.05 })

async function begin(flag: string, metrics: readonly string[]) {
  await splitFlag(flag)
  const created = await ask('POST', `${flagUrl}/${flag}/experiments`, {
    name: flag,
    goals: metrics.map(goal),
  })
  expect(created.status).toBe(201)
  const started = await ask('POST', `${project}/experiments/${created.body.id}/start`)
  expect(started.status, JSON.stringify(started.body)).toBe(200)
  return started.body
}

/** Visitors since the start, by variation. */
async function visit(
  experiment: { split: string; epochs: { first: number } },
  site: Pick<Site, 'paid'>,
  { count, seed }: { count: number; seed: number },
): Promise<GuardEvent[]> {
  const world: Site = {
    environment,
    split: experiment.split,
    errors: { treatment: 0, control: 0 },
    lcp: { treatment: 1_500, control: 1_500 },
    ...site,
  }
  const events = inviteVisitors(world, seed).arrive(count, new Date(), {
    epoch: experiment.epochs.first,
    share: 0.5,
  })
  const named = events.map((event) => ({
    ...event,
    arms: event.arms.map((arm) => ({ ...arm, arm: arm.arm === 'treatment' ? 'on' : 'off' })),
  }))
  // The names of variations are any text.
  await sendEvents(telltale.running.services.telemetry, named as GuardEvent[], `experiment-${seed}`)
  return events
}

const resultsOf = async (id: string) => (await ask('GET', `${project}/experiments/${id}/results`)).body

test('a gain in revenue per user is better, by totals that equal a count by hand', async () => {
  const experiment = await begin('gain', ['paid-sum', 'paid-count-per-user'])
  const events = await visit(
    experiment,
    {
      paid: (arm, random) =>
        random.uniform() < 0.5
          ? Array.from({ length: 2 }, () => (arm === 'treatment' ? 30 : 20) * (0.5 + random.uniform()))
          : [],
    },
    { count: 2_000, seed: 11 },
  )
  const { arms, days } = await resultsOf(experiment.id)
  expect(arms).toHaveLength(1)
  const [{ goals, units, crossed, split: state }] = arms
  expect({ crossed, state }).toEqual({ crossed: 0, state: 'as-designed' })
  const byHand = (arm: string, of: (event: GuardEvent) => number) => {
    const own = events.filter(({ arms: [one] }) => one?.arm === arm)
    const users = own.filter(({ kind }) => kind === 'exposure').length
    return own.filter(({ kind }) => kind === 'custom').reduce((sum, event) => sum + of(event), 0) / users
  }
  const [revenue, count] = goals
  expect(revenue).toMatchObject({ verdict: 'better', better: 'higher', unit: '€', margin: 0.05 })
  for (const arm of ['treatment', 'control'] as const) {
    expect(revenue.values[arm]).toBeCloseTo(
      byHand(arm, ({ value }) => value),
      3,
    )
    expect(count.values[arm]).toBeCloseTo(
      byHand(arm, () => 1),
      6,
    )
  }
  expect(revenue.change.lower).toBeGreaterThan(0)
  expect(revenue.change.estimate).toBeCloseTo(revenue.values.treatment / revenue.values.control - 1, 6)
  expect(count.verdict).toBe('undecided')
  const exposed = days.flatMap(({ units: all }: { units: Record<string, number> }) => Object.values(all))
  expect(exposed.reduce((sum: number, one: number) => sum + one, 0)).toBe(units.treatment + units.control)
})

test('a loss is worse; without a difference the interval contains none', async () => {
  const experiment = await begin('loss', ['paid-sum', 'paid-proportion', 'lcp'])
  await visit(
    experiment,
    {
      paid: (arm, random) =>
        random.uniform() < 0.8 ? [(arm === 'treatment' ? 10 : 20) * (0.9 + 0.2 * random.uniform())] : [],
    },
    { count: 3_000, seed: 12 },
  )
  const [{ goals }] = (await resultsOf(experiment.id)).arms
  const [revenue, , lcp] = goals
  expect(revenue).toMatchObject({ verdict: 'worse' })
  expect(revenue.change.upper).toBeLessThan(0)
  expect(lcp.change.lower).toBeLessThan(0)
  expect(lcp.change.upper).toBeGreaterThan(0)
})

test('goals are fixed after the start, and a split has one experiment at a time', async () => {
  const experiment = await begin('fixed', ['paid-sum'])
  const one = `${project}/experiments/${experiment.id}`
  const changed = await ask('PATCH', one, { goals: [goal('lcp')] })
  expect(changed).toMatchObject({ status: 409, body: { type: '/errors/wrong-state' } })
  expect((await ask('PATCH', one, { goals: [goal('paid-sum')], hypothesis: 'More.' })).status).toBe(200)
  const second = await ask('POST', `${flagUrl}/fixed/experiments`, { name: 'second', goals: [goal('lcp')] })
  expect(await ask('POST', `${project}/experiments/${second.body.id}/start`)).toMatchObject({ status: 409 })
  expect(await ask('DELETE', one)).toMatchObject({ status: 409 })
  expect((await ask('DELETE', `${project}/experiments/${second.body.id}`)).status).toBe(204)
})

test('faults of a draft name their place', async () => {
  await splitFlag('faulty')
  const draft = (body: object) =>
    ask('POST', `${flagUrl}/faulty/experiments`, { name: 'faulty', goals: [goal('lcp')], ...body })
  expect(await draft({ goals: [goal('none'), goal('lcp'), goal('lcp')] })).toMatchObject({
    status: 422,
    body: {
      type: '/errors/invalid-experiment',
      errors: [{ pointer: '/goals/0/metric' }, { pointer: '/goals/2/metric' }],
    },
  })
  const late = { ...goal('bought'), funnel: { name: 'Bought', steps: 'kind:view' } }
  const windows = await draft({ goals: [{ ...goal('lcp'), window: 60_000 }, late] })
  const pointers = windows.body.errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers).toEqual(['/goals/0/window', '/goals/1/funnel/steps', '/goals/1/window'])
  expect(await draft({ control: 'blue' })).toMatchObject({ body: { errors: [{ pointer: '/control' }] } })
  expect(await draft({ place: 'none' })).toMatchObject({ body: { errors: [{ pointer: '/place' }] } })
  await serve('faulty', { variation: 'on' }, { version: 2 })
  expect(await draft({})).toMatchObject({ body: { errors: [{ pointer: '/place' }] } })
})

test('without events a goal collects; with one large buyer it stays undecided; refunds are counted', async () => {
  const experiment = await begin('uneven', ['paid-sum', 'paid-count-per-user'])
  expect((await resultsOf(experiment.id)).arms[0].goals[0]).toMatchObject({
    verdict: 'collecting',
    missing: 'no-units',
    change: null,
  })
  let isFirst = true
  await visit(
    experiment,
    {
      paid: (arm, random) => {
        const isLarge = arm === 'treatment' && isFirst
        if (isLarge) isFirst = false
        if (isLarge) return [20_000]
        return random.uniform() < 0.3 ? [30, -10] : []
      },
    },
    { count: 1_500, seed: 13 },
  )
  const [{ goals }] = (await resultsOf(experiment.id)).arms
  expect(goals[0]).toMatchObject({ verdict: 'collecting', missing: 'too-uneven' })
  expect(goals[0].quality.largestShare.treatment).toBeGreaterThan(0.5)
  expect(goals[0].values.control).toBeCloseTo(0.3 * 20, -1)
})

test('other weights while it runs count as well; the end keeps the results, also for an archived flag', async () => {
  const experiment = await begin('ended', ['paid-sum'])
  await visit(experiment, { paid: () => [5] }, { count: 400, seed: 14 })
  const uneven = split.map((arm, index) => ({ ...arm, weight: index === 0 ? 20_000 : 80_000 }))
  const { body: config } = await ask('GET', `${flagUrl}/ended/config`)
  await serve('ended', { split: uneven }, config)
  const before = await resultsOf(experiment.id)
  const one = `${project}/experiments/${experiment.id}`
  expect(await ask('POST', `${one}/end`, { variation: 'blue' })).toMatchObject({ status: 422 })
  const ended = await ask('POST', `${one}/end`, { variation: 'on', note: 'Worth it.' })
  expect(ended).toMatchObject({
    status: 200,
    body: { state: 'ended', decision: { variation: 'on', note: 'Worth it.' }, epochs: { first: 2, last: 3 } },
  })
  await ask('POST', `${project}/flags/ended/archive`)
  expect((await ask('GET', one)).body).toMatchObject({ flagArchived: true })
  const kept = await resultsOf(experiment.id)
  expect(kept.arms).toEqual(before.arms)
  expect((await ask('POST', `${one}/end`, { variation: null })).status).toBe(409)
  const listed = await ask('GET', `${project}/experiments?state=ended`)
  expect(listed.body.items.map(({ id }: { id: string }) => id)).toEqual([experiment.id])
})

test('a variation that was added later is not compared', async () => {
  const variations = ['a', 'b', 'c'].map((key) => ({ key, name: key, value: key }))
  await ask('POST', `${project}/flags`, {
    ...{ key: 'grown', name: 'grown', valueType: 'string', variations, clientVisible: true },
  })
  const arms = ['a', 'b'].map((variation) => ({ variation, weight: 50_000 }))
  const saved = await serve('grown', { split: arms }, { version: 1, offVariation: 'a' })
  expect(saved.status, JSON.stringify(saved.body)).toBe(200)
  const { body } = await ask('POST', `${flagUrl}/grown/experiments`, { name: 'grown', goals: [goal('lcp')] })
  await ask('POST', `${project}/experiments/${body.id}/start`)
  const { body: config } = await ask('GET', `${flagUrl}/grown/config`)
  const grown = [
    { variation: 'a', weight: 40_000 },
    { variation: 'b', weight: 40_000 },
    { variation: 'c', weight: 20_000 },
  ]
  expect(
    (await serve('grown', { split: grown }, { version: config.version, offVariation: 'a' })).status,
  ).toBe(200)
  const results = await resultsOf(body.id)
  expect(results.arms.map(({ treatment }: { treatment: string }) => treatment)).toEqual(['b'])
  expect(results.arms[0].goals[0].level).toBe(0.05)
})

test('values in several currencies give no number, and name them', async () => {
  const experiment = await begin('currencies', ['paid-sum', 'paid-count-per-user'])
  await visit(experiment, { paid: (_, random) => [5 + random.uniform()] }, { count: 400, seed: 15 })
  const pay = (currency: string) => {
    const arms = [{ split: experiment.split, epoch: experiment.epochs.first, arm: 'on', unit: '1' }]
    const one = { ...plainEvent(environment, Date.now()), kind: 'custom', name: 'paid', value: 5 }
    return sendEvents(telltale.running.services.telemetry, [{ ...one, arms, attrs: { currency } }], currency)
  }
  const goalsOf = async () => (await resultsOf(experiment.id)).arms[0].goals
  await pay('EUR')
  expect(await goalsOf()).toMatchObject([{ missing: null, currencies: ['EUR'] }, { currencies: [] }])
  await pay('USD')
  const nothing = { verdict: 'collecting', missing: 'mixed-currencies', values: null, change: null }
  expect(await goalsOf()).toMatchObject([{ ...nothing, currencies: ['EUR', 'USD'] }, { currencies: [] }])
})

test('a plan without traffic says so', async () => {
  await splitFlag('planned')
  const plan = await ask('POST', `${flagUrl}/planned/experiment-plan`, { goals: [goal('lcp')] })
  expect(plan).toMatchObject({
    status: 200,
    body: {
      ...{ place: 'fallthrough', control: 'off', arms: split, traffic: { perDay: 0 } },
      goals: [{ metric: 'lcp', level: 0.05, base: null, users: null, days: null }],
    },
  })
})

test('the history of users narrows the interval and is fixed at the start', async () => {
  const { telemetry, db } = telltale.running.services
  const random = seededRandom(21)
  const habits = Array.from({ length: 1_600 }, () => 20 * Math.exp(1.2 * random.normal()))
  const paid = (user: number, at: number, arms: SentArm[]) => {
    const value = (habits[user] ?? 0) * (0.7 + 0.6 * random.uniform())
    const own = { user: String(9_000_000 + user), kind: 'custom', name: 'paid', value, arms }
    return { ...plainEvent(environment, at), ...own }
  }
  // In the two weeks before, three in four came in each: the same users, without the flag.
  const before = habits.flatMap((_, user) =>
    [10, 3].flatMap((ago) => (random.uniform() < 0.75 ? [paid(user, Date.now() - ago * day, [])] : [])),
  )
  await sendEvents(telemetry, before, 'history')
  const { id, split, epochs } = await begin('habits', ['paid-sum'])
  const visit = (user: number) => {
    const arm = user % 2 === 0 ? 'on' : 'off'
    const unit = String(9_000_000 + user)
    const bought = paid(user, Date.now(), [{ split, epoch: epochs.first, arm, unit }])
    return [
      { ...plainEvent(environment, Date.now()), user: bought.user, arms: bought.arms, kind: 'exposure' },
      { ...plainEvent(environment, Date.now()), user: bought.user, arms: bought.arms, name: 'load' },
      bought,
    ]
  }
  const rowsOf = () => db.select().from(experiments).where(eq(experiments.id, id))
  const rulesOf = async () => (await rowsOf())[0]?.judged?.map(({ history }) => history)
  const users = habits.map((_, user) => user)
  await sendEvents(telemetry, users.slice(0, 1_200).flatMap(visit), 'habits-1')
  const [{ goals }] = (await resultsOf(id)).arms
  // The percentile of the totals of the weeks before.
  expect(goals[0].cap).toBeGreaterThan(100)
  expect(goals[0].saved).toBeGreaterThan(0.25)
  expect(goals[0].change.estimate).toBeCloseTo(0, 0)
  const rules = await rulesOf()
  expect(rules?.[0]?.coefficient).toBeGreaterThan(0.2)
  await sendEvents(telemetry, users.slice(1_200).flatMap(visit), 'habits-2')
  await resultsOf(id)
  expect(await rulesOf()).toEqual(rules)
})

test('goals with a window count what users do within it once it is over, like a count by hand, also if clocks jump', async () => {
  await splitFlag('windows')
  const window = 2_700
  const late = { gain: 0.1, margin: 0.05, window: window * 1_000 }
  const funnel = { name: 'Checkout', steps: windowSteps }
  const given = { 'paid-sum': {}, 'paid-proportion': {}, checkout: { funnel } }
  const goals = Object.entries(given).map(([metric, more]) => ({ ...late, metric, ...more }))
  const created = await ask('POST', `${flagUrl}/windows/experiments`, { name: 'windows', goals })
  const { body } = await ask('POST', `${project}/experiments/${created.body.id}/start`)
  const startedAt = Date.parse(body.startedAt)
  const world = { environment, split: body.split, epoch: body.epochs.first, startedAt }
  telltale.passTime(5_400_000)
  const all: Did[] = []
  const did = fc.record({
    user: fc.integer({ min: 1, max: 12 }),
    what: fc.constantFrom<Did['what'][]>('exposure', 'view', 'cart', 'paid'),
    at: fc.integer({ min: 0, max: 408 }).map(instantOf),
    arm: fc.constantFrom<Did['arm'][]>('on', 'off'),
    value: fc.integer({ min: -20, max: 100 }),
  })
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(did, { minLength: 80, maxLength: 140 }), async (some) => {
      round += 1
      const added = some.map((one) => ({ ...one, user: one.user + round * 100 }))
      all.push(...added)
      await sendEvents(telltale.running.services.telemetry, eventsOf(added, world), `windows-${round}`)
      const { at, arms } = await resultsOf(body.id)
      const now = (Date.parse(at) - startedAt) / 1_000
      const [on, off] = (['on', 'off'] as const).map((arm) => countByHand(all, arm, { window, now }))
      if (on === undefined || off === undefined) throw new Error('two arms')
      const [revenue, buyers, completed] = arms[0].goals
      const both = (of: (one: ByHand) => number) => ({ treatment: of(on), control: of(off) })
      const rate = (of: (one: ByHand) => number) => both((one) => of(one) / Math.max(1, one.users))
      expect(completed).toMatchObject({
        name: 'Checkout',
        measuredIn: 'share',
        window: window * 1_000,
        funnel,
      })
      for (const one of [revenue, buyers, completed])
        expect(one).toMatchObject({
          units: both(({ users }) => users),
          waiting: both((found) => found.waiting),
        })
      const wanted = { revenue, buyers, completed }
      for (const of of ['revenue', 'buyers', 'completed'] as const)
        for (const arm of ['treatment', 'control'] as const)
          expect(wanted[of].values?.[arm] ?? 0, of).toBeCloseTo(rate((one) => one[of])[arm], 6)
    }),
    { numRuns: 5, seed: 6, endOnFailure: true },
  )
  for (const jump of jumps) expect(all.some(({ at, what }) => at === jump && what === 'exposure')).toBe(true)
  const total = countByHand(all, 'on', { window, now: 5_400 })
  expect(Math.min(total.users, total.waiting, total.completed, total.buyers)).toBeGreaterThan(2)
})

const day = 86_400_000
