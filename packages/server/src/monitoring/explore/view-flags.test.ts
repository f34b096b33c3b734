// Filters and groups by variation, compared with a count over the raw events: views that begin before the flag
// is evaluated, variations that change during a view, late events, views across both ends of the period, events
// without a view, and bots.

import { noId } from '@telltale/core/telemetry/row-text'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ByHandStage,
  from,
  ofKind,
  openByHandStage,
  to,
} from '../../../../../test/telemetry/by-hand-stage.ts'
import {
  distinct,
  vitalsOf as exactVitalsOf,
  four,
  groupBy,
  percentileOf,
  weigh,
} from './testing/count-by-hand.ts'
import { type SomeEvent, uuid } from './testing/some-events.ts'

let stage: ByHandStage
let seen: SomeEvent[]
/** All flags evaluated during each view, at any time. */
let readIn: Map<string, Set<string>>

beforeAll(async () => {
  stage = await openByHandStage(withViews)
  ;({ seen } = stage)
  readIn = new Map(
    [...groupBy(stage.ours, ({ view }) => view)].map(([view, own]) => [
      view,
      new Set(own.flatMap(({ flags }) => flags)),
    ]),
  )
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask: ByHandStage['ask'] = (...requested) => stage.ask(...requested)
const askAll: ByHandStage['askAll'] = (...requested) => stage.askAll(...requested)

/**
 * Each event of kind `view` begins a view. Flags are evaluated later in it; in a view across an end of the
 * period, only beyond that end.
 */
function withViews(events: SomeEvent[]): SomeEvent[] {
  let views = 0
  return [...groupBy(events, ({ session }) => session).values()].flatMap((own, session) => {
    if (session % 9 === 5) return own
    const firstView = views
    const placed = own
      .toSorted((a, b) => a.at - b.at)
      .map((event) => {
        if (event.kind === 'view') views += 1
        return { ...event, view: uuid(4, views) }
      })
    expect(views).toBeGreaterThan(firstView)
    return [...groupBy(placed, ({ view }) => view).values()].flatMap((ofView, place) => {
      const [begun, ended] = [ofView[0]?.at ?? 0, ofView.at(-1)?.at ?? 0]
      const isInForce = ({ at }: SomeEvent, index: number) => {
        if (begun < from && ended >= from) return at < from
        if (begun < to && ended >= to) return at >= to
        return index > 0 && (session + place) % 4 !== 3
      }
      return ofView.map((event, index) => {
        const isChanged = session % 5 === 0 && index > ofView.length / 2
        const variation = (session % 2 === 0) === isChanged ? 'old' : 'new'
        return {
          ...event,
          flags: isInForce(event, index) ? ['banner=off', `checkout=${variation}`] : [],
        }
      })
    })
  })
}

const pairsOf = ({ view, flags }: SomeEvent): readonly string[] =>
  view === noId ? flags : [...(readIn.get(view) ?? [])]
const variationsOf = (event: SomeEvent) => {
  const own = pairsOf(event)
    .filter((pair) => pair.startsWith('checkout='))
    .map((pair) => pair.slice('checkout='.length))
  return own.length === 0 ? [''] : own
}
const isOf = (variation: string) => (event: SomeEvent) => variationsOf(event).includes(variation)
/** The engine rounds halves to even. */
const vitalsOf = (events: readonly SomeEvent[]) =>
  exactVitalsOf(events).map(({ good, poor, ...vital }) => {
    const near = (share: number | null) => (share === null ? null : expect.closeTo(share, 3))
    return { ...vital, good: near(good), poor: near(poor) }
  })
const errorsPerView = (events: readonly SomeEvent[]) =>
  weigh(ofKind(events, 'error')) / weigh(ofKind(events, 'view'))

const filters: [text: string, fits: (event: SomeEvent) => boolean][] = [
  ['flag:checkout=new', isOf('new')],
  ['flag:checkout=~E', isOf('new')],
  ['flag:checkout=new,old', (event) => !isOf('')(event)],
  ['-flag:checkout', isOf('')],
  ['flag:checkout=new -flag:checkout=old', (event) => isOf('new')(event) && !isOf('old')(event)],
]

test('the fixture has variations to distinguish', () => {
  const views = ofKind(seen, 'view')
  const later = views.filter((view) => view.flags.length === 0 && !isOf('')(view))
  expect(later.length).toBeGreaterThan(views.length / 2)
  expect(seen.filter((event) => variationsOf(event).length === 2).length).toBeGreaterThan(50)
  for (const edge of [from, to]) {
    const over = [...groupBy(stage.ours, ({ view }) => view)].filter(
      ([view, own]) => view !== noId && own.some(({ at }) => at < edge) && own.some(({ at }) => at >= edge),
    )
    expect(over.length).toBeGreaterThan(0)
  }
  expect(stage.ours.some((event) => event.bot && isOf('new')(event))).toBe(true)
  expect(seen.some((event) => event.view === noId && event.flags.length > 0)).toBe(true)
})

describe.each(filters)('under "%s"', (filter, fits) => {
  const own = (events: readonly SomeEvent[] = seen) => events.filter(fits)

  test('the overview', async () => {
    const { now, before, series } = await ask('overview', { filter, step: '1d' })
    const views = weigh(ofKind(own(), 'view'))
    const errors = weigh(ofKind(own(), 'error'))
    expect(now).toMatchObject({
      views,
      errors,
      vitals: vitalsOf(own()),
      errorsPerThousandViews: (errors / views) * 1_000,
    })
    const earlier = own(stage.ours.filter(({ at, bot }) => !bot && at < from))
    expect(before).toMatchObject({
      views: weigh(ofKind(earlier, 'view')),
      errors: weigh(ofKind(earlier, 'error')),
    })
    const sum = (name: string) =>
      series.reduce((total: number, point: Record<string, number>) => total + (point[name] ?? 0), 0)
    expect([sum('views'), sum('errors')]).toEqual([views, errors])
  })

  test('pages and one of them', async () => {
    const byHand = (page: string) => {
      const events = own().filter((event) => event.page === page)
      return {
        views: weigh(ofKind(events, 'view')),
        sessions: distinct(ofKind(events, 'view'), 'session'),
        errors: weigh(ofKind(events, 'error')),
      }
    }
    const pages = await askAll('pages', { filter })
    expect(pages.length).toBeGreaterThan(2)
    for (const { page, ...row } of pages) {
      const vitals = vitalsOf(own().filter((event) => event.page === page))
      expect(row).toMatchObject({ ...byHand(page), vitals })
      const one = await ask('page', { page, filter })
      expect(one).toMatchObject(byHand(page))
      expect(one.vitals).toMatchObject(vitals)
    }
    const frames = await ask('page/long-frames', { page: '/cart', filter })
    expect(frames.frames).toBe(weigh(ofKind(own(), 'long_frame').filter(({ page }) => page === '/cart')))
  })

  test('requests', async () => {
    const requests = own().filter(({ kind, endpoint }) => kind === 'resource' && endpoint !== '')
    const groups = groupBy(requests, ({ method, host, endpoint }) => `${method} ${host}${endpoint}`)
    const found = await askAll('requests', { filter })
    expect(found).toHaveLength(groups.size)
    for (const row of found) {
      const some = groups.get(`${row.method} ${row.host}${row.endpoint}`) ?? []
      const failed = weigh(some.filter((event) => event.failed))
      expect(row).toMatchObject({
        count: weigh(some),
        failed,
        failedShare: failed / weigh(some),
        sessions: distinct(some, 'session'),
      })
    }
  })

  test('issues', async () => {
    // Their messages have the same shape.
    const errors = ofKind(own(), 'error')
    const [issue, ...others] = await askAll('issues', { filter })
    expect(others).toEqual([])
    expect(issue).toMatchObject({
      events: weigh(errors),
      sessions: distinct(errors, 'session'),
      users: distinct(errors, 'userHash'),
    })
  })

  test('explore and its facets', async () => {
    expect((await ask('explore', { filter })).total).toEqual({ value: weigh(own()), events: weigh(own()) })
    const share = await ask('explore', {
      filter: 'kind:view,error',
      measure: 'share',
      part: filter,
    })
    const both = seen.filter(({ kind }) => kind === 'view' || kind === 'error')
    expect(share.total.value).toBe(four(weigh(own(both)) / weigh(both)))
    const { facets } = await ask('explore/facets', { filter, fields: 'kind', top: 20 })
    expect(facets[0].values).toEqual(
      expect.arrayContaining([{ value: 'view', count: weigh(ofKind(own(), 'view')) }]),
    )
  })
})

describe('by variation', () => {
  const by = 'flag:checkout'
  const byVariation = (events: readonly SomeEvent[]) =>
    new Map(['', 'new', 'old'].map((variation) => [variation, events.filter(isOf(variation))] as const))

  test('a page', async () => {
    const groups = byVariation(seen.filter(({ page }) => page === '/cart'))
    const found = await ask('page/breakdown', { page: '/cart', by, bins: 'LCP' })
    expect(found.groups.map(({ value }: { value: string }) => value).sort()).toEqual(['', 'new', 'old'])
    for (const { value, views, vitals, bins } of found.groups) {
      const own = groups.get(value) ?? []
      expect(views).toBe(weigh(ofKind(own, 'view')))
      expect(vitals).toEqual(vitalsOf(own))
      expect(bins.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(
        weigh(own.filter(({ kind, name }) => kind === 'vital' && name === 'LCP')),
      )
    }
  })

  test('a request', async () => {
    const request = { method: 'GET', host: 'shop.example', endpoint: '/api/cart' }
    const groups = byVariation(
      seen.filter(({ method, host, endpoint }) =>
        [method === request.method, host === request.host, endpoint === request.endpoint].every(Boolean),
      ),
    )
    const found = await ask('request/breakdown', { ...request, by })
    expect(found.groups).toHaveLength(3)
    for (const { value, count, failed, p75 } of found.groups) {
      const own = groups.get(value) ?? []
      expect({ count, failed, p75 }).toEqual({
        count: weigh(own),
        failed: weigh(own.filter((event) => event.failed)),
        p75: percentileOf(
          own.map(({ duration }) => duration),
          0.75,
        ),
      })
    }
  })

  test('explore: views and errors are from one set, and the total counts each event once', async () => {
    const groups = byVariation(seen)
    const of = async (kind: string) => {
      const { groups: found, total } = await ask('explore', { kind, by, step: '1d' })
      expect(total.value).toBe(weigh(ofKind(seen, kind)))
      return new Map<string, number>(
        found.map(({ values, value }: { values: string[]; value: number }) => [values[0], value]),
      )
    }
    const [views, errors] = [await of('view'), await of('error')]
    for (const [variation, own] of groups) {
      expect(views.get(variation)).toBe(weigh(ofKind(own, 'view')))
      const rate = (errors.get(variation) ?? 0) / (views.get(variation) ?? 0)
      expect(rate).toBe(errorsPerView(own))
      // The same result as with the filter.
      const filter = variation === '' ? '-flag:checkout' : `flag:checkout=${variation}`
      const { now } = await ask('overview', { filter })
      expect(now.errorsPerThousandViews).toBeCloseTo(rate * 1_000, 9)
    }
    const two = await ask('explore', { measure: 'sessions', by: 'browser,flag:checkout', top: 20 })
    for (const { values, value } of two.groups) {
      const own = (groups.get(values[1]) ?? []).filter(({ browser }) => browser === values[0])
      expect(value).toBe(distinct(own, 'session'))
    }
  })

  test('facets', async () => {
    const { facets } = await ask('explore/facets', { fields: `browser,${by}` })
    const counts = ['new', 'old'].map((value) => ({ value, count: weigh(seen.filter(isOf(value))) }))
    expect(facets[1].values).toEqual(counts.toSorted((a, b) => b.count - a.count))
  })

  test('sessions: vitals of a view count under its variations', async () => {
    const { variations } = await ask('sessions/variations', { flag: 'checkout' })
    const ids = new Set(stage.sessions.map(({ id }) => id))
    const events = stage.ours.filter(({ session }) => ids.has(session))
    for (const { variation, vitals } of variations) {
      expect(vitals).toEqual(vitalsOf(events.filter(isOf(variation))))
    }
    expect(variations).toHaveLength(2)
  })
})

test('the events of one session', async () => {
  const { session } = seen.find((event) => isOf('new')(event) && event.flags.length === 0) ?? { session: '' }
  const path = `sessions/${session}/events`
  const found = await ask(path, { filter: 'flag:checkout=new', limit: 200, from: undefined, to: undefined })
  const own = stage.ours.filter((event) => event.session === session && isOf('new')(event))
  expect(found.items).toHaveLength(own.length)
})
