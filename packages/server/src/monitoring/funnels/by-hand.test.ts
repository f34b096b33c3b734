// Funnels, retention and paths on the real engine, through the API, compared with a count that tries every chain.

import { limits } from '@telltale/core/limits'
import { stepsOf } from '@telltale/core/query/time-buckets'
import { wilsonInterval } from '@telltale/core/statistics/wilson'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SomePerson, startTelltale, type Telltale } from '../../../../../test/start.ts'
import {
  exposuresByHand,
  firstBrowser,
  groupsOf,
  medianByHand,
  pathsByHand,
  reachByHand,
} from '../../../../../test/telemetry/count-funnels.ts'
import {
  manyPaths,
  type SomeStep,
  someVisits,
  stepChoices,
  tirelessUser,
  twoVariations,
} from '../../../../../test/telemetry/some-visits.ts'
import { groupBy } from '../explore/testing/count-by-hand.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const timeZone = 'Europe/Berlin'
/** A week in which the clocks change, from and to the middle of a day. */
const from = Date.parse('2026-10-22T09:30:00Z')
const to = Date.parse('2026-10-28T15:10:00Z')
const environment = '/api/v1/projects/shop/environments/production'
const leastForMedian = 10

let telltale: Telltale
let owner: SomePerson
let environmentId: string
let worlds = 0

beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true, settings: { TELLTALE_MANAGEMENT_RATE: '100000' } })
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
  await telltale.request('PATCH', environment, { as: owner, body: { timeZone } })
  environmentId = (await telltale.request('GET', environment, { as: owner })).body.id
})
afterAll(() => telltale?.[Symbol.asyncDispose]())

const ask = (path: string, query: Record<string, string | number>) => {
  const given = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...query }
  const texts = Object.entries(given).map(([name, value]) => [name, `${value}`])
  return telltale.request('GET', `${environment}/explore/${path}?${new URLSearchParams(texts)}`, {
    as: owner,
  })
}

async function answer(path: string, query: Record<string, string | number>) {
  const { status, body } = await ask(path, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** The ids of every page of a list. */
async function listSessions(path: string, query: Record<string, string | number>): Promise<string[]> {
  const found: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { items: { id: string }[]; next: string | null } = await answer(path, {
      ...query,
      limit: 25,
      ...(cursor === '' ? {} : { cursor }),
    })
    found.push(...page.items.map(({ id }) => id))
    cursor = page.next
  }
  return found
}

/** Another world: its events have a version of their own, by which it is asked about. */
async function store(
  make: (world: number) => SomeStep[],
): Promise<{ events: SomeStep[]; all: SomeStep[]; filter: string }> {
  worlds += 1
  const events = make(worlds)
  const columns = [
    ...([
      'environment_id',
      'kind',
      'ts',
      'event_id',
      'session_id',
      'view_id',
      'user_hash',
      'weight',
    ] as const),
    ...(['bot', 'version', 'page', 'browser', 'name', 'flags'] as const),
  ]
  const rows = events.map((one) =>
    JSON.stringify([
      ...[environmentId, one.kind, one.at, one.id, one.session, one.view, one.user, 1],
      ...[one.bot ? 1 : 0, `w${worlds}`, one.page, one.browser, one.name, one.flags],
    ]),
  )
  const stored = await telltale.running.services.telemetry.insert({
    table: 'events',
    columns,
    rows: Buffer.from(rows.join('\n')),
    token: `world-${worlds}`,
  })
  expect(stored).toEqual({ kind: 'stored' })
  const all = events.filter(({ bot }) => !bot)
  return {
    all,
    events: all.filter(isInPeriod),
    filter: `version:w${worlds}`,
  }
}

const longest = limits.monitoredSessionMaximum
const isInPeriod = ({ at }: SomeStep) => at >= from && at < to

const funnel = fc.record({
  steps: fc.array(fc.constantFrom(...stepChoices), { minLength: 2, maxLength: 3 }),
  unit: fc.constantFrom('user' as const, 'session' as const),
  window: fc.constantFrom(1_000, 5 * minute, 3 * hour, 7 * day),
})

/** A run asks the real engine: the first counterexample is reported, and not made smaller. */
const runs = { numRuns: 10, endOnFailure: true }

describe('a funnel', () => {
  test('counts as every chain does: by variation, by field, with the sessions of each loss', async () => {
    await fc.assert(
      fc.asyncProperty(someVisits(from - hour), funnel, async (make, { steps, unit, window }) => {
        const { events, filter } = await store(make)
        const matches = steps.map((step) => step.matches)
        const query = { filter, unit, window, steps: steps.map(({ text }) => text).join(' -> ') }
        const units = reachByHand(events, { steps: matches, unit, window })
        const all = [...units.values()]
        const expected = (of: typeof all) =>
          matches.map((_, step) => {
            const first = of.flatMap((one) => one.first[step] ?? [])
            return {
              count: first.length,
              medianTime:
                step === 0
                  ? null
                  : medianByHand(
                      first.map(({ delay }) => delay),
                      leastForMedian,
                    ),
            }
          })

        const plain = await answer('funnel', query)
        expect(plain.steps).toMatchObject(expected(all))
        expect(plain.steps[1].ofFirst).toEqual(
          wilsonInterval(plain.steps[1].count, plain.steps[0].count) ?? null,
        )
        expect(plain).toMatchObject({ groups: [], control: null, excluded: null })

        const byBrowser = await answer('funnel', { ...query, by: 'browser' })
        const groups = groupBy(all, (one) => firstBrowser(one.begun))
        expect(groupsOf(byBrowser.groups)).toEqual(
          new Map([...groups].map(([name, of]) => [name, expected(of)])),
        )

        const exposures = exposuresByHand(events, unit)
        const isMixed = (id: string) => (exposures.get(id)?.seen.size ?? 0) > 1
        const single = [
          ...groupBy(
            [...units.keys()].filter((id) => !isMixed(id)),
            variationOf,
          ),
        ]
        function variationOf(id: string) {
          return [...(exposures.get(id)?.seen ?? [])][0] ?? ''
        }
        const variations = single.flatMap(([name, ids]) => {
          const of = events.filter((event) => ids.includes(event[unit]))
          const reached = reachByHand(of, { steps: matches, unit, window }, (event) =>
            Boolean(exposures.get(event[unit])?.mayBegin(event)),
          )
          const begun = [...reached.values()].filter((one) => one.first[0] !== undefined)
          return name === '' || begun.length === 0 ? [] : [[name, expected(begun)] as const]
        })
        const byFlag = await answer('funnel', { ...query, by: 'flag:checkout' })
        expect(groupsOf(byFlag.groups)).toEqual(new Map(variations))
        const counted = variations.reduce((sum, [, lines]) => sum + (lines[0]?.count ?? 0), 0)
        const mixed = [...units.keys()].filter(isMixed).length
        expect(byFlag.excluded).toEqual({ mixed, unexposed: units.size - mixed - counted })

        const lost = all.flatMap((one) => (one.first[1] === undefined ? [one.last[0]?.session] : []))
        const listed = await listSessions('funnel/sessions', { ...query, step: 2 })
        expect(listed.toSorted()).toEqual([...new Set(lost)].toSorted())
        const reached = all.flatMap((one) => one.first[1]?.event.session ?? [])
        const finished = await listSessions('funnel/sessions', { ...query, step: 2, outcome: 'reached' })
        expect(finished.toSorted()).toEqual([...new Set(reached)].toSorted())
      }),
      runs,
    )
  })

  test('of a user with thousands of events in a few milliseconds ends where every step was taken', async () => {
    const { filter } = await store((world) => tirelessUser(from, world))
    const steps = Array.from({ length: 10 }, () => 'kind:view,custom').join(' -> ')
    const { steps: counted } = await answer('funnel', { filter, steps })
    expect(counted.map(({ count }: { count: number }) => count)).toEqual(Array(10).fill(1))
    // An event is one step only: 6,000 events are not 6,001.
    const once = await answer('funnel', {
      filter: `${filter} name:load page:/b`,
      steps: 'page:/b -> page:/a',
    })
    expect(once.steps[1].count).toBe(0)
  })

  test('compares variations with the chosen one, and refuses what it cannot read', async () => {
    const { events, filter } = await store((world) => twoVariations(from + day, world))
    const query = { filter, steps: 'kind:view page:/a -> kind:view page:/b', by: 'flag:checkout' }
    const { groups, control } = await answer('funnel', { ...query, control: 'old' })
    expect(control).toBe('old')
    const shares = new Map(groups.map((one: { value: string }) => [one.value, one]))
    expect(shares.get('old')).toMatchObject({ steps: [{ count: 200 }, { count: 60, difference: null }] })
    const { difference } = (shares.get('new') as (typeof groups)[number]).steps[1]
    expect(difference.change).toBeCloseTo(0.3, 6)
    expect(difference.lower).toBeGreaterThan(0.1)
    expect(difference.upper).toBeLessThan(0.5)
    expect(events).toHaveLength(200 * 2 * 2 + 60 + 120)

    for (const [window, count] of [
      [1_000, 120],
      [1_001, 180],
    ] as const) {
      expect((await answer('funnel', { ...query, window })).steps[1].count).toBe(count)
    }

    for (const [change, pointer] of [
      [{ steps: 'kind:view' }, '?steps'],
      [{ steps: 'kind:view -> colour:red' }, '?steps'],
      [{ steps: Array(11).fill('kind:view').join(' -> ') }, '?steps'],
      [{ by: 'length' }, '?by'],
      [{ by: 'browser,os' }, '?by'],
      [{ control: 'nothing' }, '?control'],
      [{ window: 5 }, '?window'],
    ] as const) {
      const refused = await ask('funnel', { ...query, ...change })
      expect(refused.status, JSON.stringify(change)).toBe(400)
      expect(refused.body.errors[0].pointer).toBe(pointer)
    }
    for (const change of [{ step: 3 }, { step: 1 }, { step: 2, cursor: 'x' }] as const) {
      expect((await ask('funnel/sessions', { ...query, ...change })).status).toBe(400)
    }
  })
})

describe('retention', () => {
  test('counts the users who return by local day, also by variation', async () => {
    const days = stepsOf({ from, to }, '1d', timeZone)
    const dayOf = ({ at }: SomeStep) => days.findIndex((one) => at >= one.from && at < one.to)
    await fc.assert(
      fc.asyncProperty(someVisits(from), fc.constantFrom(...stepChoices), async (make, later) => {
        const { events, filter } = await store(make)
        const query = { filter, return: later.text }
        const cohortsOf = (mayBegin: (event: SomeStep) => boolean) => {
          const users = [...groupBy(events, ({ user }) => user).values()].flatMap((own) => {
            const first = own
              .filter((event) => event.kind === 'view' && mayBegin(event))
              .sort((a, b) => a.at - b.at)[0]
            return first === undefined ? [] : [{ cohort: dayOf(first), own, user: first.user }]
          })
          return days.map((_, cohort) => {
            const size = users.filter((one) => one.cohort === cohort)
            const returns = days.slice(cohort + 1).map((_one, after) => ({
              count: size.filter(({ own }) =>
                own.some((e) => later.matches(e) && dayOf(e) === cohort + 1 + after),
              ).length,
              // The period ends within the last day.
              partial: cohort + 1 + after === days.length - 1,
            }))
            return { size: size.length, returns, partial: cohort === 0 || cohort === days.length - 1 }
          })
        }
        const counted = cohortsOf(() => true)
        const plain = await answer('retention', query)
        expect(plain.cohorts).toMatchObject(counted)
        expect(plain.cohorts.map(({ at }: { at: string }) => at)).toEqual(
          days.map((one) => new Date(one.from).toISOString()),
        )
        expect(plain.lines).toMatchObject([{ value: null, points: lineOf(counted) }])

        const exposures = exposuresByHand(events, 'user')
        const byFlag = await answer('retention', { ...query, by: 'flag:checkout' })
        for (const { value, size, points } of byFlag.lines.slice(1)) {
          const of = cohortsOf(
            (event) =>
              exposures.get(event.user)?.seen.size === 1 &&
              exposures.get(event.user)?.seen.has(value) === true &&
              exposures.get(event.user)?.mayBegin(event) === true,
          )
          expect(size).toBe(of.reduce((sum, cohort) => sum + cohort.size, 0))
          expect(points).toMatchObject(lineOf(of))
        }
        const sizes = byFlag.lines.map(({ size }: { size: number }) => size)
        const { mixed, unexposed } = byFlag.excluded
        const grouped = sizes.slice(1).reduce((sum: number, size: number) => sum + size, 0)
        expect(grouped + mixed + unexposed).toBe(sizes[0])
      }),
      { ...runs, numRuns: 8 },
    )

    function lineOf(cohorts: { size: number; returns: { count: number; partial: boolean }[] }[]) {
      return days.slice(1).map((_, after) => {
        const over = cohorts.filter(({ returns }) => returns[after]?.partial === false)
        return {
          count: over.reduce((sum, { returns }) => sum + (returns[after]?.count ?? 0), 0),
          of: over.reduce((sum, { size }) => sum + size, 0),
        }
      })
    }
  })

  test('by week begins on Mondays; a week to come is missing, and a longer period is refused', async () => {
    const { filter } = await store((world) => tirelessUser(from, world))
    const now = Date.now()
    const period = {
      from: new Date(now - 20 * day).toISOString(),
      to: new Date(now + 20 * day).toISOString(),
    }
    const weeks = await answer('retention', { filter, step: 'week', ...period })
    expect(weeks.cohorts.length).toBeLessThan(weeks.steps)
    expect(weeks.cohorts.at(-1)).toMatchObject({ partial: true, returns: [] })
    const isMonday = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit' })
    for (const { at } of weeks.cohorts) expect(isMonday.format(new Date(at))).toBe('Mon, 00')
    const long = { from: new Date(now - 40 * day).toISOString(), to: new Date(now).toISOString() }
    expect((await answer('retention', { filter, ...long })).step).toBe('week')
    expect((await ask('retention', { filter, step: 'day', ...long })).body.errors[0].pointer).toBe('?from')
  })
})

describe('paths', () => {
  test('follow or precede a page or an event in its session', async () => {
    const nodes = {
      pages: { isNode: ({ kind }: SomeStep) => kind === 'view', nodeOf: ({ page }: SomeStep) => page },
      events: {
        isNode: ({ kind, name }: SomeStep) => (kind === 'action' || kind === 'custom') && name !== '',
        nodeOf: ({ name }: SomeStep) => name,
      },
    }
    const asked = fc.record({
      start: fc.constantFrom(...stepChoices),
      of: fc.constantFrom('pages' as const, 'events' as const),
      direction: fc.constantFrom('after' as const, 'before' as const),
    })
    await fc.assert(
      fc.asyncProperty(someVisits(from + 30 * hour), asked, async (make, { start, of, direction }) => {
        const { all, filter } = await store(make)
        // The start is in the period; a session may leave it, for as long as sessions last.
        const isStart = (event: SomeStep) => isInPeriod(event) && start.matches(event)
        const near = all.filter(({ at }) => at >= from - longest && at < to + longest)
        const paths = pathsByHand(near, { isStart, ...nodes[of], direction })
        const query = { filter, start: start.text, of, direction }
        const found = await answer('paths', { ...query, top: 2 })
        expect(found.sessions).toBe(paths.length)
        const whole = groupBy(paths, ({ path }) => JSON.stringify(path))
        expect(found.distinct).toBe(whole.size)
        for (const { values, sessions } of found.paths) {
          expect(sessions).toBe(whole.get(JSON.stringify(values))?.length)
        }
        for (const [place, step] of found.steps.entries()) {
          const with_ = paths.filter(({ path }) => path.length > place)
          const values = groupBy(with_, ({ path }) => path[place] ?? '')
          expect(step.sessions).toBe(with_.length)
          expect(step.values.length + step.others.values).toBe(values.size)
          for (const one of step.values) expect(one.sessions).toBe(values.get(one.value)?.length)
        }
        expect(found.steps.length).toBe(Math.max(0, ...paths.map(({ path }) => path.length)))
        const value = found.steps[0]?.values[0]?.value
        if (value !== undefined) {
          const listed = await listSessions('paths/sessions', { ...query, step: 1, value })
          const of = paths.filter(({ path }) => path[0] === value).map(({ session }) => session)
          expect(listed.toSorted()).toEqual(of.toSorted())
        }
        const ended = await listSessions('paths/sessions', { ...query, step: 1 })
        expect(ended).toHaveLength(paths.filter(({ path }) => path.length === 0).length)
      }),
      { ...runs, numRuns: 10 },
    )
  })

  test('of ten thousand sessions that all differ are listed within bounds', async () => {
    const { filter } = await store((world) => manyPaths(from + day, world))
    const found = await answer('paths', { filter, start: 'kind:view page:/a' })
    expect(found).toMatchObject({ sessions: 10_000, distinct: 10_000 })
    expect(found.paths).toHaveLength(20)
    expect(found.steps[0]).toMatchObject({ sessions: 10_000, others: { values: 9_992, sessions: 9_992 } })
    expect((await ask('paths', { filter, start: ' ' })).status).toBe(400)
  })
})
