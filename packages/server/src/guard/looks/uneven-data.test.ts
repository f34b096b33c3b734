import { afterAll, beforeAll, expect, test } from 'vitest'
import { minute, stage, startGuardedShop } from '../../../../../test/guard/guarded-site.ts'
import { type Behaviour, browsers, ServedSite, type SiteUser } from '../../../../../test/guard/served-site.ts'
import { event, type Line } from '../../../../../test/intake/visitor.ts'

/**
 * Thousands of users through the intake take seconds on an idle machine, and minutes on one with ten times more
 * work than processors.
 */
const patience = 300_000

let shop: Awaited<ReturnType<typeof startGuardedShop>>
beforeAll(async () => {
  shop = await startGuardedShop()
})
afterAll(() => shop?.telltale[Symbol.asyncDispose]())

interface Plan {
  metrics: Record<string, number>
  weight?: number
}

/** Metrics with their limits; the first stage has this weight. */
function open(flag: string, { metrics, weight = 50_000 }: Plan): Promise<ServedSite> {
  return ServedSite.open(shop, flag, {
    stages: [stage(weight), stage(100_000)],
    metrics: Object.entries(metrics).map(([metric, limit]) => ({
      metric,
      limit,
      role: 'required',
      onRegression: 'roll-back',
    })),
  })
}

const vital = (name: string, value: number) => event('vital', { name, value })
const error = () =>
  event('error', { source: 'uncaught', type: 'TypeError', message: 'no total', handled: true })
const request = (failed: boolean) =>
  event('resource', {
    type: 'fetch',
    url: 'https://shop.example/api/cart',
    method: 'GET',
    duration: 90,
    status: failed ? 500 : 200,
  })
const findingOf = async (site: ServedSite, metric: string) =>
  (await site.ask('GET')).seen.findings.find((one: { metric: string }) => one.metric === metric)

/** Returns state and decisions, and ends the rollout before the next test. */
async function endOf(site: ServedSite) {
  const { state, endedAt, seen } = await site.ask('GET')
  const log = await site.log()
  if (endedAt === null) await site.ask('POST', '/roll-back', {})
  return { state, log, seen }
}

/** INP as browsers report it, in steps of 8 ms: so many of a hundred users at 96 ms, the others above. */
const inSteps =
  (atStep: Record<SiteUser['arm'], number>): Behaviour =>
  ({ arm, index }) => {
    const isFast = Math.floor(((index + 1) * atStep[arm]) / 100) > Math.floor((index * atStep[arm]) / 100)
    return [[vital('INP', isFast ? 96 : 104 + 8 * (index % 5))]]
  }

test(
  'INP in steps of 8 ms with its percentile on a step: chance does not roll back, harm does',
  async () => {
    const chance = await open('stepped', { metrics: { inp: 0.02 } })
    await chance.pass(2_000, inSteps({ treatment: 73, control: 77 }))
    const { state, seen } = await endOf(chance)
    expect(state).toBe('running')
    expect(seen.findings[0].harm.lower).toBeLessThan(0)

    const slower = await open('stepped-slower', { metrics: { inp: 0.02 } })
    await slower.pass(2_000, inSteps({ treatment: 40, control: 75 }))
    expect((await endOf(slower)).log).toEqual(['start started', 'roll-back regressed inp'])
  },
  patience,
)

/** Three views each, and one user of the treatment with thousands. */
const withOneHeavy =
  ({ views, ...slower }: { treatment: number; heavy: number; views: number }): Behaviour =>
  ({ arm, index, random }) => {
    const isHeavy = arm === 'treatment' && index === 0
    const factor = isHeavy ? slower.heavy : arm === 'treatment' ? slower.treatment : 1
    const habit = isHeavy ? 0 : 0.4 * random.normal()
    return Array.from({ length: isHeavy ? views : 3 }, () => [
      vital('LCP', 1_500 * factor * Math.exp(habit + 0.3 * random.normal())),
    ])
  }

test(
  'one user with 8,000 views does not roll back a harmless change and is shown, one with 3,000 does not hide a slow one',
  async () => {
    const harmless = await open('heavy-slow', { metrics: { lcp: 0.1 }, weight: 10_000 })
    await harmless.pass(2_000, withOneHeavy({ treatment: 1, heavy: 1.9, views: 8_000 }))
    const { state, seen } = await endOf(harmless)
    expect(state).toBe('running')
    const [{ harm, quality, values }] = seen.findings
    expect(harm.lower).toBeLessThan(0.1)
    expect(Math.abs(values.treatment / values.control - 1)).toBeLessThan(0.3)
    expect(quality.leftOut).toEqual({ treatment: 1, control: 0 })
    expect(quality.largestShare.treatment).toBeGreaterThan(0.8)
    expect(quality.effectiveUnits.treatment).toBeGreaterThan(100)

    const slow = await open('heavy-fast', { metrics: { lcp: 0.1 }, weight: 10_000 })
    await slow.pass(2_000, withOneHeavy({ treatment: 1.6, heavy: 0.6, views: 3_000 }))
    expect((await endOf(slow)).log).toEqual(['start started', 'roll-back regressed lcp'])
  },
  patience,
)

/** Rollout, list and tile show the same users: those exposed to each arm, also if fewer sent other events. */
async function expectSameUsers(site: ServedSite) {
  const of = (path: string) =>
    shop.telltale.request('GET', `/api/v1/projects/shop${path}`, { as: shop.owner })
  const isSite = ({ flag }: { flag: string }) => flag === site.flag
  const [opened, list, tiles] = [await site.ask('GET'), await of('/rollouts'), await of('/telltales')]
  const listed = list.body.items.find(isSite)
  const tile = tiles.body.items.find(isSite)
  const { exposed } = site
  for (const users of [
    ...[opened.seen.units, opened.telltale.users],
    ...[listed.seen.units, listed.telltale.users, tile.users],
  ])
    expect(users).toEqual(exposed)
  expect(opened.seen.findings[0].units.control).toBeLessThanOrEqual(exposed.control)
  const impact = await of(`${site.at}/impact?control=off`)
  expect(impact.body.compared.comparisons[0].units).toEqual(exposed)
}

/**
 * For each arm, how many of a hundred users send nothing after their exposure, and how many of the others get
 * an error.
 */
const withSilent =
  (silent: Partial<Record<SiteUser['arm'], number>>, errors: Record<SiteUser['arm'], number>): Behaviour =>
  ({ arm, random }) => {
    if (random.uniform() * 100 < (silent[arm] ?? 0)) return []
    return [[event('view'), ...(random.uniform() * 100 < errors[arm] ? [error()] : [])]]
  }

test(
  'a control that falls silent for 20 % does not protect a treatment with 1.9 times the errors',
  async () => {
    const site = await open('silent-control', { metrics: { 'users-with-an-error': 0.25 } })
    for (let look = 0; look < 4; look += 1)
      await site.pass(2_500, withSilent({ control: 20 }, { treatment: 15.2, control: 8 }))
    await expectSameUsers(site)
    const { log, seen } = await endOf(site)
    expect(log).toEqual(['start started', 'roll-back regressed users-with-an-error'])
    expect(seen.findings[0]).toMatchObject({ state: 'regressed', missingPeople: { arm: 'control' } })
    expect(seen.findings[0].missingPeople.share).toBeGreaterThan(0.15)
    expect(seen.quality.heard.control).toBeLessThan(0.85)
  },
  patience,
)

test(
  "with users missing from the treatment it holds with their number, and continues at a member's risk",
  async () => {
    const site = await open('silent-treatment', { metrics: { 'users-with-an-error': 0.25 } })
    const harmless = withSilent({ treatment: 20 }, { treatment: 8, control: 8 })
    for (let look = 0; look < 3; look += 1) await site.pass(1_500, harmless)
    const held = await site.ask('GET')
    expect(held).toMatchObject({ state: 'holding-split-wrong', why: 'people-missing' })
    expect(held.seen.findings[0].missingPeople.share).toBeGreaterThan(0.15)

    await site.ask('POST', '/resume', { turn: held.turn })
    await site.pass(1_500, harmless)
    const { state, log } = await endOf(site)
    expect(state).toBe('running')
    expect(log).toEqual(['start started', 'hold people-missing', 'resume people-missing'])
  },
  patience,
)

/** Requests of a user, and how many of a hundred users have failing requests. */
const withRequests =
  (of: Record<SiteUser['arm'], { requests: number; failed: number }>): Behaviour =>
  ({ arm, random }) => {
    const { requests, failed } = of[arm]
    const count = Math.max(1, Math.round(requests * Math.exp(0.5 * random.normal())))
    const lines: Line[] = Array.from({ length: count }, () => request(random.uniform() < failed / requests))
    return [[event('view'), ...lines]]
  }

test(
  'twice the requests with twice the failures is not healthy, half of them with the same failures is no regression; users decide',
  async () => {
    const usual = { requests: 6, failed: 0.6 }
    const metrics = { 'failed-requests': 0.25 }
    const twice = await open('twice', { metrics })
    for (let look = 0; look < 2; look += 1)
      await twice.pass(1_000, withRequests({ treatment: { requests: 12, failed: 1.2 }, control: usual }))
    const found = await findingOf(twice, 'failed-requests')
    expect(found.quality.denominator).toMatchObject({ differs: true })
    expect(found.harm.upper, 'the ratio alone would be healthy').toBeLessThan(0.25)
    expect(await endOf(twice)).toMatchObject({ state: 'running', log: ['start started'] })

    const half = await open('half', { metrics })
    for (let look = 0; look < 2; look += 1)
      await half.pass(1_000, withRequests({ treatment: { requests: 3, failed: 0.6 }, control: usual }))
    const ratio = await findingOf(half, 'failed-requests')
    expect(ratio.harm.lower, 'the ratio alone would be regressed').toBeGreaterThan(0.25)
    expect(await endOf(half)).toMatchObject({ state: 'running', log: ['start started'] })
  },
  patience,
)

test(
  'by default users with a failed request are guarded: more of them roll back',
  async () => {
    const site = await ServedSite.open(shop, 'usual-plan', {
      metrics: undefined,
      stages: [stage(50_000), stage(100_000)],
    })
    const { metrics } = await site.ask('GET')
    const guarded = metrics.map(({ metric }: { metric: string }) => metric)
    expect(guarded).toContain('users-with-a-failed-request')
    expect(guarded).not.toContain('failed-requests')
    const treatment = { requests: 6, failed: 0.4 }
    const control = { requests: 6, failed: 0.1 }
    for (let look = 0; look < 3; look += 1) await site.pass(500, withRequests({ treatment, control }))
    expect((await endOf(site)).log).toEqual([
      'start started',
      'roll-back regressed users-with-a-failed-request',
    ])
  },
  patience,
)

/** Of so many users, how many get the treatment in this browser, as the server evaluates for it. */
async function servedTo({ flag, keys }: ServedSite, browser: SiteUser['browser'], users: number) {
  let treated = 0
  for (let user = 0; user < users; user += 1) {
    const answer = await fetch(`${shop.telltale.url}/ofrep/v1/evaluate/flags/${flag}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.client}`, 'user-agent': browsers[browser] },
      body: JSON.stringify({ context: { targetingKey: `someone-${user}` } }),
    })
    treated += Number((await answer.json()).variant === 'on')
  }
  return treated
}

test(
  'a harm in one browser excludes it but for a probe, until it is fixed; everyone else keeps the treatment',
  async () => {
    const asOwner = { as: shop.owner }
    const own = { key: 'cart-time', name: 'Cart time', event: 'cart', aggregation: 'mean' }
    const made = await shop.telltale.request('POST', '/api/v1/projects/shop/metrics', {
      ...asOwner,
      body: { ...own, better: 'lower', limit: 0.1 },
    })
    expect(made.status).toBe(201)
    const site = await ServedSite.open(shop, 'narrowed', {
      stages: [stage(50_000, { minDuration: 60 * minute }), stage(100_000)],
      metrics: [{ metric: 'cart-time', limit: 0.1, role: 'required', onRegression: 'roll-back' }],
      onSliceHarm: 'narrow',
    })
    let [isFixed, ofSafari] = [false, 29]
    site.browserOf = (user) => (user % 100 < ofSafari ? 'Safari' : 'Chrome')
    const slow: Behaviour = ({ arm, browser, random }) => {
      const isHarmed = arm === 'treatment' && browser === 'Safari' && !isFixed
      return [[event('custom', { name: 'cart', value: (isHarmed ? 200 : 100) + random.uniform() })]]
    }
    const pass = async (users: number) => {
      shop.telltale.passTime(2 * minute)
      await site.visit(users, slow)
      // The next search is due, and the events are recent.
      shop.telltale.passTime(4 * minute)
      await shop.telltale.running.services.guard.look()
    }

    await pass(900)
    expect(await site.log()).toEqual(['start started', 'narrow slice-harmed cart-time'])
    const { narrowing, state, turn } = await site.ask('GET')
    expect(state).toBe('running')
    expect(narrowing.excluded).toHaveLength(1)
    const [excluded] = narrowing.excluded
    expect(excluded).toMatchObject({
      slice: { attribute: 'request.browser', value: 'Safari' },
      metric: 'cart-time',
    })
    expect(excluded.harm.lower).toBeGreaterThan(0.3)
    expect(excluded.elsewhere.upper).toBeLessThan(excluded.harm.lower)
    expect(await servedTo(site, 'Safari', 60)).toBeLessThan(15)
    expect(await servedTo(site, 'Chrome', 60)).toBeGreaterThan(15)

    // Only a tenth of them are in the probe.
    ;[isFixed, ofSafari] = [true, 50]
    await pass(5_200)
    expect((await site.log()).at(-1)).toBe('restore probe-healthy cart-time')
    expect((await site.ask('GET')).narrowing.excluded).toEqual([])
    expect(await servedTo(site, 'Safari', 60)).toBeGreaterThan(15)
    const late = site.ask('POST', '/restore-slice', { turn, exclusion: excluded.id })
    await expect(late).rejects.toThrow('version-conflict')

    ;[isFixed, ofSafari] = [false, 29]
    await pass(900)
    expect((await site.log()).at(-1)).toBe('narrow slice-harmed cart-time')
    const again = await site.ask('GET')
    const { id: exclusion } = again.narrowing.excluded[0]
    const undone = await site.ask('POST', '/restore-slice', { turn: again.turn, exclusion })
    expect(undone.narrowing.excluded).toEqual([])
    expect((await site.ask('GET', '/decisions')).items[0]).toMatchObject({
      action: 'restore',
      slice: { value: 'Safari' },
      by: { id: expect.any(String) },
    })
    await endOf(site)
  },
  patience,
)
