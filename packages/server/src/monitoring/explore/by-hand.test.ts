// The data of the screens on the real engine, compared with a count over the same events by hand: changes to
// summer time, sessions over midnight, batches sent twice, late rows, bots, and other environments.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ByHandStage,
  from,
  ofKind,
  openByHandStage,
  timeZone,
  to,
} from '../../../../../test/telemetry/by-hand-stage.ts'
import {
  distinct,
  four,
  groupBy,
  percentileOf,
  type SessionByHand,
  vitalsOf,
  weigh,
} from './testing/count-by-hand.ts'
import type { SomeEvent } from './testing/some-events.ts'

const hour = 3_600_000
let stage: ByHandStage
let ours: SomeEvent[]
let seen: SomeEvent[]
let sessions: SessionByHand[]

beforeAll(async () => {
  stage = await openByHandStage()
  ;({ ours, seen, sessions } = stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask: ByHandStage['ask'] = (...requested) => stage.ask(...requested)
const askAll: ByHandStage['askAll'] = (...requested) => stage.askAll(...requested)
const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone })
const localDay = (at: number) => calendar.format(at)

test('the fixture contains two nights, sessions over midnight, bots, and another environment', () => {
  const overMidnight = sessions.filter(
    ({ begun, ended }) => new Date(begun).getUTCDate() !== new Date(ended).getUTCDate(),
  )
  expect(overMidnight.length).toBeGreaterThan(3)
  expect(seen.length).toBeGreaterThan(2_000)
  expect(ours.some(({ bot }) => bot)).toBe(true)
})

describe('the overview', () => {
  test('sums the period and the previous one', async () => {
    const { now, before } = await ask('overview')
    const views = weigh(ofKind(seen, 'view'))
    const errors = weigh(ofKind(seen, 'error'))
    const all = sessions.reduce((sum, { weight }) => sum + weight, 0)
    const withError = sessions.filter((one) => one.errors > 0).reduce((sum, { weight }) => sum + weight, 0)
    expect(now).toEqual({
      sessions: all,
      users: new Set(sessions.map(({ events }) => events[0]?.userHash)).size,
      views,
      errors,
      errorsPerThousandViews: (errors / views) * 1_000,
      sessionsWithError: withError / all,
      vitals: vitalsOf(seen),
    })
    expect(before.from).toBe(new Date(2 * from - to).toISOString())
    const earlier = ours.filter(({ at, bot }) => at < from && !bot)
    expect(before.views).toBe(weigh(ofKind(earlier, 'view')))
  })

  test('has a point for every day of the time zone, one with 25 hours', async () => {
    const { series, step } = await ask('overview', { step: '1d' })
    expect(step).toBe('1d')
    expect(series.map(({ at, partial }: { at: string; partial: boolean }) => [at, partial])).toEqual([
      ['2026-10-23T22:00:00.000Z', true],
      ['2026-10-24T22:00:00.000Z', false],
      ['2026-10-25T23:00:00.000Z', true],
    ])
    for (const point of series) {
      const events = seen.filter(({ at }) => localDay(at) === localDay(Date.parse(point.at)))
      const begun = sessions.filter((one) => localDay(one.begun) === localDay(Date.parse(point.at)))
      expect(point).toMatchObject({
        sessions: begun.reduce((sum, { weight }) => sum + weight, 0),
        views: weigh(ofKind(events, 'view')),
        errors: weigh(ofKind(events, 'error')),
        vitals: vitalsOf(events).map(({ name, count, p75 }) => ({ name, count, p75 })),
      })
    }
  })

  test('by hour adds up to the whole', async () => {
    const { series, now } = await ask('overview', { step: '1h' })
    const sum = (name: string) =>
      series.reduce((total: number, point: Record<string, number>) => total + (point[name] ?? 0), 0)
    expect(series).toHaveLength(Math.ceil((to - Math.floor(from / hour) * hour) / hour))
    expect(['sessions', 'views', 'errors'].map(sum)).toEqual([now.sessions, now.views, now.errors])
  })

  test('lists new errors', async () => {
    const { errors } = await ask('overview/new-errors', { limit: 50 })
    const earlier = new Set(
      ours.filter(({ kind, at }) => kind === 'error' && at < from).map(({ issue }) => issue),
    )
    const groups = groupBy(
      ofKind(seen, 'error').filter(({ issue }) => !earlier.has(issue)),
      ({ issue }) => issue,
    )
    expect(new Map(errors.map((one: { issue: string; count: number }) => [one.issue, one.count]))).toEqual(
      new Map([...groups].map(([issue, own]) => [issue, weigh(own)])),
    )
  })
})

describe('pages', () => {
  const pageByHand = (page: string) => {
    const events = seen.filter((event) => event.page === page)
    const core = events.filter(({ kind, name }) => kind === 'vital' && ['LCP', 'INP', 'CLS'].includes(name))
    const good = core.filter((event) => vitalsOf([event]).some((one) => one.good === 1))
    return {
      page,
      views: weigh(ofKind(events, 'view')),
      sessions: distinct(ofKind(events, 'view'), 'session'),
      errors: weigh(ofKind(events, 'error')),
      vitals: vitalsOf(events),
      good: four(weigh(good) / weigh(core)),
    }
  }

  test('are listed with their vitals, in any order, page by page', async () => {
    const all = [...new Set(seen.map(({ page }) => page))].map(pageByHand)
    const p75 = (page: ReturnType<typeof pageByHand>, name: string) =>
      page.vitals.find((one) => one.name === name)?.p75 ?? -1
    for (const sort of ['views', 'LCP', 'good']) {
      const found = await askAll('pages', { sort, limit: 2 })
      expect(groupBy(found, ({ page }) => page).size).toBe(all.length)
      for (const page of found) expect(page).toEqual(all.find((one) => one.page === page.page))
      const sorted = found.map((page) =>
        sort === 'views' || sort === 'errors'
          ? page[sort]
          : sort === 'good'
            ? 1 - page.good
            : p75(page, sort),
      )
      expect(sorted).toEqual([...sorted].sort((a, b) => b - a))
    }
  })

  test('have the same numbers when opened, with every value in a bin', async () => {
    const { vitals, ...page } = await ask('page', { page: '/checkout' })
    const byHand = pageByHand('/checkout')
    expect(page).toMatchObject({ views: byHand.views, sessions: byHand.sessions, errors: byHand.errors })
    for (const { bins, boundaries, ...vital } of vitals) {
      const values = seen.filter(
        (one) => one.kind === 'vital' && one.name === vital.name && one.page === '/checkout',
      )
      expect(vital).toEqual(byHand.vitals.find(({ name }) => name === vital.name))
      for (const bin of bins) {
        const inside = values.filter(
          ({ value }) => four(value) >= bin.from && (bin.to === null || four(value) < bin.to),
        )
        expect(bin.count, `${vital.name} ${bin.from}`).toBe(weigh(inside))
      }
      expect(bins.map((bin: { from: number }) => bin.from)).toEqual(expect.arrayContaining(boundaries))
    }
  })

  test('are compared by variation, element and resource', async () => {
    const onPage = seen.filter(({ page }) => page === '/cart')
    const variationOf = ({ flags }: SomeEvent) =>
      flags.find((pair) => pair.startsWith('checkout='))?.slice('checkout='.length) ?? ''
    const { groups } = await ask('page/breakdown', { page: '/cart', by: 'flag:checkout', bins: 'LCP' })
    expect(groups.map(({ value }: { value: string }) => value).sort()).toEqual(['', 'new', 'old'])
    for (const { value, views, vitals, bins } of groups) {
      const own = onPage.filter((event) => variationOf(event) === value)
      expect(views).toBe(weigh(ofKind(own, 'view')))
      expect(vitals).toEqual(vitalsOf(own))
      expect(bins.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(
        weigh(own.filter(({ kind, name }) => kind === 'vital' && name === 'LCP')),
      )
    }

    const { elements } = await ask('page/elements', { page: '/cart', vital: 'LCP' })
    const lcp = onPage.filter(({ kind, name }) => kind === 'vital' && name === 'LCP')
    const slow = lcp.filter(({ value }) => value > 2_500)
    for (const { element, count, shareOfSlow } of elements) {
      const own = lcp.filter(({ target }) => target === element)
      expect(count).toBe(own.length)
      expect(shareOfSlow).toBe(four(weigh(own.filter(({ value }) => value > 2_500)) / weigh(slow)))
    }

    const { resources } = await ask('page/resources', { page: '/cart' })
    const total = resources.reduce((sum: number, { count }: { count: number }) => sum + count, 0)
    expect(total).toBe(weigh(ofKind(onPage, 'resource')))
    const { scripts, frames } = await ask('page/long-frames', { page: '/cart' })
    expect(frames).toBe(weigh(ofKind(onPage, 'long_frame')))
    const render = ofKind(onPage, 'long_frame').filter(({ scripts: ran }) => ran[0]?.[1] === 'render')
    expect(scripts.find((one: { function: string }) => one.function === 'render').count).toBe(weigh(render))
  })
})

test('requests are grouped by method, host and endpoint, page by page', async () => {
  const requests = seen.filter(({ kind, endpoint }) => kind === 'resource' && endpoint !== '')
  const groups = groupBy(requests, ({ method, host, endpoint }) => `${method} ${host}${endpoint}`)
  for (const sort of ['count', 'failedShare', 'p50', 'p95', 'total', 'meanBytes']) {
    const found = await askAll('requests', { sort, limit: 3 })
    expect(found).toHaveLength(groups.size)
    const sorted = found.map((row) => row[sort] ?? -1)
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a))
    for (const row of found) {
      const own = groups.get(`${row.method} ${row.host}${row.endpoint}`) ?? []
      const failed = weigh(own.filter((event) => event.failed))
      const durations = own.map(({ duration }) => duration)
      const sized = own.filter(({ size }) => size > 0)
      expect(row).toMatchObject({
        count: weigh(own),
        failed,
        failedShare: failed / weigh(own),
        p50: percentileOf(durations, 0.5),
        p75: percentileOf(durations, 0.75),
        p95: percentileOf(durations, 0.95),
        meanBytes: Math.round(sized.reduce((sum, { size, weight }) => sum + size * weight, 0) / weigh(sized)),
        total: four(own.reduce((sum, { duration, weight }) => sum + duration * weight, 0)),
        sessions: distinct(own, 'session'),
        own: row.host === 'shop.example',
      })
      const longest = Math.max(...durations)
      const slowest = own.filter(({ duration }) => duration === longest).map(({ page }) => page)
      expect(slowest).toContain(row.slowestPage)
    }
  }
  const third = await askAll('requests', { party: 'third', limit: 2 })
  expect(third.length).toBeGreaterThan(0)
  expect(new Set(third.map(({ host }) => host))).toEqual(new Set(['api.example']))
  const [first] = await askAll('requests')
  const { method, host, endpoint } = first
  const one = await ask('request', { method, host, endpoint, step: '1h' })
  const { slowestPage: _, ...same } = first
  expect(one).toMatchObject(same)
  const sum = (list: { count: number }[]) => list.reduce((total, { count }) => total + count, 0)
  expect([sum(one.series), sum(one.statuses), sum(one.pages)]).toEqual([one.count, one.count, one.count])
  const { groups: byBrowser } = await ask('request/breakdown', { method, host, endpoint, by: 'browser' })
  expect(sum(byBrowser)).toBe(one.count)
})

describe('explore', () => {
  const filters: [text: string, fits: (event: SomeEvent) => boolean][] = [
    ['', () => true],
    ['browser:Safari,Chrome', ({ browser }) => browser !== 'Firefox'],
    ['-browser:Safari country:""', ({ browser, country }) => browser !== 'Safari' && country === ''],
    ['page:"/a \\"quoted\\", page"', ({ page }) => page.startsWith('/a ')],
    ['page:~CHECK', ({ page }) => page === '/checkout'],
    ['flag:checkout=new', ({ flags }) => flags.includes('checkout=new')],
    ['-flag:checkout', ({ flags }) => !flags.some((pair) => pair.startsWith('checkout='))],
    ['flag:checkout=~E', ({ flags }) => flags.includes('checkout=new')],
    ['attr:plan=pro', ({ attributes }) => attributes.plan === 'pro'],
    ['-attr:plan', ({ attributes }) => attributes.plan === undefined],
    ['user:user-4,browser-5', ({ user, anonymous }) => user === 'user-4' || anonymous === 'browser-5'],
    ['lcp:>2500', ({ kind, name, value }) => kind === 'vital' && name === 'LCP' && value > 2_500],
    ['cls:<=0.1', ({ kind, name, value }) => kind === 'vital' && name === 'CLS' && value <= 0.1],
    ['status:>=500', ({ kind, status }) => kind === 'resource' && status >= 500],
    ['failed:true duration:<100', ({ failed, duration }) => failed && duration < 100],
    ['handled:false', ({ kind, handled }) => kind === 'error' && !handled],
    ['issue:18446744073709551615', ({ issue }) => issue === '18446744073709551615'],
    ['frustration:*', ({ frustration }) => frustration.length > 0],
    ['UNDEFINED', ({ message }) => message.includes('undefined')],
    [
      'kind:view,error version:2.0',
      ({ kind, version }) => (kind === 'view' || kind === 'error') && version === '2.0',
    ],
  ]

  test.each(filters)('counts events that match "%s"', async (filter, fits) => {
    const own = seen.filter(fits)
    const { total } = await ask('explore', { filter })
    expect(total).toEqual({ value: weigh(own), events: weigh(own) })
  })

  test('session-level conditions apply to its events', async () => {
    const short = new Set(sessions.filter(({ begun, ended }) => ended - begun < 600_000).map(({ id }) => id))
    const { total } = await ask('explore', { filter: 'length:<600000' })
    expect(total.value).toBe(weigh(seen.filter(({ session }) => short.has(session))))
  })

  test('bots count when included', async () => {
    const bots = ours.filter(({ at, bot }) => bot && at >= from && at < to)
    expect((await ask('explore', { filter: 'bot:true' })).total.value).toBe(weigh(bots))
    expect((await ask('explore', { filter: 'bot:true,false' })).total.value).toBe(weigh(bots) + weigh(seen))
  })

  test('measures percentiles, means, shares and rates', async () => {
    const requests = ofKind(seen, 'resource')
    const measured = (query: Record<string, string>) =>
      ask('explore', { kind: 'resource', ...query }).then(({ total }) => total.value)
    const durations = requests.map(({ duration }) => duration)
    for (const level of [50, 75, 95, 99]) {
      expect(await measured({ measure: `p${level}`, field: 'duration' })).toBe(
        percentileOf(durations, level / 100),
      )
    }
    const sum = requests.reduce((total, { duration, weight }) => total + duration * weight, 0)
    expect(await measured({ measure: 'sum', field: 'duration' })).toBe(four(sum))
    expect(await measured({ measure: 'mean', field: 'duration' })).toBe(four(sum / weigh(requests)))
    expect(await measured({ measure: 'sessions' })).toBe(distinct(requests, 'session'))
    expect(await measured({ measure: 'users' })).toBe(distinct(requests, 'userHash'))
    expect(await measured({ measure: 'share', part: 'failed:true' })).toBe(
      four(weigh(requests.filter(({ failed }) => failed)) / weigh(requests)),
    )
    expect(await measured({ measure: 'rate' })).toBeCloseTo(weigh(requests) / ((to - from) / 60_000), 10)
  })

  test('groups by one field and by two, with a remainder', async () => {
    const { groups, total } = await ask('explore', {
      by: 'page,flag:checkout',
      top: 4,
      step: '1d',
      measure: 'sessions',
    })
    const keyOf = ({ page, flags }: SomeEvent) =>
      JSON.stringify([page, flags.find((pair) => pair.startsWith('checkout='))?.slice(9) ?? ''])
    const byHand = groupBy(seen, keyOf)
    const shown = groups.slice(0, 4).map(({ values }: { values: string[] }) => JSON.stringify(values))
    const rest = seen.filter((event) => !shown.includes(keyOf(event)))
    expect(groups).toHaveLength(5)
    expect(groups[4]).toMatchObject({ values: null, value: distinct(rest, 'session'), events: weigh(rest) })
    expect(total.value).toBe(distinct(seen, 'session'))
    for (const { values, value, points } of groups.slice(0, 4)) {
      const own = byHand.get(JSON.stringify(values)) ?? []
      expect(value).toBe(distinct(own, 'session'))
      for (const point of points) {
        const onDay = own.filter(({ at }) => localDay(at) === localDay(Date.parse(point.at)))
        expect(point.value).toBe(distinct(onDay, 'session'))
      }
    }
  })

  test('facets count values under the other chips', async () => {
    const query = {
      fields: 'browser,country,frustration,flag:checkout',
      filter: 'browser:Safari page:/cart',
      top: 2,
    }
    const { facets } = await ask('explore/facets', query)
    const valuesOf = (own: readonly SomeEvent[], keyOf: (event: SomeEvent) => string) =>
      [...groupBy(own, keyOf)]
        .filter(([value]) => value !== '')
        .map(([value, found]) => ({ value, count: weigh(found) }))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    const onCart = seen.filter(({ page }) => page === '/cart')
    const safari = onCart.filter(({ browser }) => browser === 'Safari')
    expect(facets.map(({ field }: { field: string }) => field)).toEqual(query.fields.split(','))
    expect(facets[0]).toEqual({
      field: 'browser',
      values: valuesOf(onCart, ({ browser }) => browser).slice(0, 2),
      distinct: 3,
    })
    expect(facets[1].values).toEqual(valuesOf(safari, ({ country }) => country))
    expect(facets[2].values).toEqual(valuesOf(safari, ({ frustration }) => frustration[0] ?? '').slice(0, 2))
    const searched = await ask('explore/facets', { fields: 'page', search: 'CHECK' })
    expect(searched.facets[0].values).toEqual([
      { value: '/checkout', count: weigh(seen.filter(({ page }) => page === '/checkout')) },
    ])
  })
})

test('an empty period, and one with a single event, have zeros', async () => {
  const empty = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
  const { now, series } = await ask('overview', { ...empty, step: '1h' })
  expect(now).toMatchObject({
    sessions: 0,
    users: 0,
    views: 0,
    errorsPerThousandViews: null,
    sessionsWithError: null,
  })
  expect(series).toHaveLength(24)
  expect(await askAll('sessions', empty)).toEqual([])
  expect(await askAll('pages', empty)).toEqual([])

  const [first] = sessions
  const one = {
    from: new Date(first?.begun ?? 0).toISOString(),
    to: new Date((first?.begun ?? 0) + 1).toISOString(),
  }
  const single = await ask('overview', one)
  expect(single.now).toMatchObject({ sessions: first?.weight, users: 1, views: first?.weight })
  expect(single.series).toHaveLength(1)
})
