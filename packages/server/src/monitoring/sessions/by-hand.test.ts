// Sessions as the screens show them, on the real engine, compared with a count over their events by hand.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { always, type ByHandStage, openByHandStage } from '../../../../../test/telemetry/by-hand-stage.ts'
import { type SessionByHand, vitalsOf } from '../explore/testing/count-by-hand.ts'
import type { SomeEvent } from '../explore/testing/some-events.ts'

let stage: ByHandStage
let sessions: SessionByHand[]

beforeAll(async () => {
  stage = await openByHandStage()
  ;({ sessions } = stage)
})
afterAll(() => stage?.[Symbol.asyncDispose]())

const ask: ByHandStage['ask'] = (...requested) => stage.ask(...requested)
const askAll: ByHandStage['askAll'] = (...requested) => stage.askAll(...requested)

const any = (fits: (event: SomeEvent) => boolean) => (session: SessionByHand) => session.events.some(fits)
/** From the first recorded moment to the last; undefined without a recording. */
function recordedLength(id: string): number | undefined {
  const recording = stage.recordings.get(id)
  const { from: first, to: last } = { from: recording?.segments[0]?.from, to: recording?.segments.at(-1)?.to }
  return first === undefined || last === undefined ? undefined : last - first
}

const filters: [text: string, fits: (session: SessionByHand) => boolean][] = [
  ['', () => true],
  ['browser:Safari', any(({ browser }) => browser === 'Safari')],
  [
    'flag:checkout=new -country:DE',
    ({ events }) =>
      events.some(({ flags }) => flags.includes('checkout=new')) &&
      !events.some(({ country }) => country === 'DE'),
  ],
  ['lcp:>4000', (session) => (session.worst('LCP') ?? 0) > 4_000],
  ['-lcp:>4000', (session) => (session.worst('LCP') ?? 0) <= 4_000],
  ['cls:*', (session) => session.worst('CLS') !== null],
  ['errors:>=2 trouble:<40', ({ errors, trouble }) => errors >= 2 && trouble < 40],
  ['length:>7200000', ({ begun, ended }) => ended - begun > 7_200_000],
  ['user:user-4', any(({ user }) => user === 'user-4')],
  ['user:~browser-1', any(({ anonymous }) => anonymous.includes('browser-1'))],
  ['issue:18446744073709551615', any(({ issue }) => issue === '18446744073709551615')],
  ['endpoint:/api/cart failed:true', any(({ endpoint, failed }) => endpoint === '/api/cart' && failed)],
  [
    'name:Buy name:Search',
    (session) => any(({ name }) => name === 'Buy')(session) && any(({ name }) => name === 'Search')(session),
  ],
  ['-name:Buy', (session) => !any(({ name }) => name === 'Buy')(session)],
  ['replay:true', any(({ hasReplay }) => hasReplay)],
  ['kept:true', ({ id }) => stage.recordings.get(id)?.isKept === true],
  [
    'kept:false browser:Safari',
    (session) =>
      stage.recordings.get(session.id)?.isKept !== true &&
      any(({ browser }) => browser === 'Safari')(session),
  ],
  [
    'profile:true -kept:true',
    ({ id }) => stage.profiled.has(id) && stage.recordings.get(id)?.isKept !== true,
  ],
  ['replay-length:>300000', ({ id }) => (recordedLength(id) ?? 0) > 300_000],
  ['-replay-length:>300000', ({ id }) => (recordedLength(id) ?? 0) <= 300_000],
  ['entry-page:/cart', ({ events }) => events.find(({ kind }) => kind === 'view')?.page === '/cart'],
  ['"x3 is"', any(({ message }) => message.includes('x3 is'))],
]

test.each(filters)('matching "%s" are found, page by page', async (filter, fits) => {
  const expected = sessions.filter(fits)
  const newest = await askAll('sessions', { filter, limit: 70 })
  expect(newest.map(({ id }) => id)).toEqual(
    [...expected].sort((a, b) => b.begun - a.begun || (a.id < b.id ? 1 : -1)).map(({ id }) => id),
  )
  const { sessions: count, of } = await ask('sessions/facets', { filter, fields: 'browser' })
  expect(count).toBe(expected.reduce((sum, { weight }) => sum + weight, 0))
  expect(of).toBe(sessions.reduce((sum, { weight }) => sum + weight, 0))
})

const sorts: [sort: string, sortedBy: (session: SessionByHand) => number][] = [
  ['errors', ({ errors }) => errors],
  ['length', ({ begun, ended }) => ended - begun],
  ['lcp', (session) => Math.fround(session.worst('LCP') ?? -1)],
  ['inp', (session) => Math.fround(session.worst('INP') ?? -1)],
]

test.each(sorts)('sorted by %s, page by page', async (sort, sortedBy) => {
  const found = await askAll('sessions', { sort, limit: 70 })
  const expected = [...sessions].sort(
    (a, b) => sortedBy(b) - sortedBy(a) || b.begun - a.begun || (a.id < b.id ? 1 : -1),
  )
  expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
})

test('have their events, also over midnight', async () => {
  const found = await askAll('sessions', { sort: 'trouble', limit: 50 })
  expect(found).toHaveLength(sessions.length)
  expect(found.map(({ trouble }) => trouble)).toEqual(
    found.map(({ trouble }) => trouble).sort((a, b) => b - a),
  )
  for (const row of found) {
    const byHand = sessions.find(({ id }) => id === row.id)
    expect(row).toMatchObject({
      startedAt: new Date(byHand?.begun ?? 0).toISOString(),
      endedAt: new Date(byHand?.ended ?? 0).toISOString(),
      events: byHand?.events.length,
      errors: byHand?.errors,
      trouble: byHand?.trouble,
      lcp: byHand?.worst('LCP') ?? null,
      cls: byHand?.worst('CLS') ?? null,
      replay:
        recordedLength(row.id) === undefined
          ? null
          : {
              startedAt: new Date(stage.recordings.get(row.id)?.segments[0]?.from ?? 0).toISOString(),
              length: recordedLength(row.id),
              kept: stage.recordings.get(row.id)?.isKept,
            },
      hasProfile: stage.profiled.has(row.id),
      userKey: byHand?.events.findLast(({ user }) => user !== '')?.user ?? '',
      entryPage: byHand?.events.find(({ kind }) => kind === 'view')?.page,
      exitPage: byHand?.events.findLast(({ kind }) => kind === 'view')?.page,
    })
  }
})

test('with one event after another', async () => {
  const isCart = ({ kind, page }: SomeEvent) => kind === 'view' && page === '/cart'
  const expected = sessions.filter(({ events }) => {
    const first = events.findIndex(isCart)
    const second = first < 0 ? -1 : events.findIndex(({ kind }, index) => index > first && kind === 'error')
    return second >= 0 && events.some(({ name }, index) => index > second && name === 'Buy')
  })
  const found = await askAll('sessions', { sequence: 'kind:view page:/cart -> kind:error -> name:Buy' })
  expect(expected.length).toBeGreaterThan(2)
  expect(found.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
  const { series, sessions: count } = await ask('sessions/series', {
    sequence: 'kind:view page:/cart -> kind:error -> name:Buy',
    step: '1d',
  })
  expect(count).toBe(expected.reduce((sum, { weight }) => sum + weight, 0))
  expect(series.reduce((sum: number, point: { sessions: number }) => sum + point.sessions, 0)).toBe(count)
})

test('have facets', async () => {
  const { facets } = await ask('sessions/facets', {
    fields: 'flag:checkout,lcp,errors,version',
    filter: 'browser:Safari lcp:>4000',
    top: 50,
  })
  const safari = sessions.filter(({ events }) => events[0]?.browser === 'Safari')
  const rating = (session: SessionByHand) => {
    const worst = session.worst('LCP')
    if (worst === null) return ''
    return worst <= 2_500 ? 'good' : worst <= 4_000 ? 'needs-improvement' : 'poor'
  }
  const count = (found: readonly SessionByHand[]) => found.reduce((sum, { weight }) => sum + weight, 0)
  const byRating = new Map(
    facets[1].values.map((one: { value: string; count: number }) => [one.value, one.count]),
  )
  for (const name of ['good', 'needs-improvement', 'poor']) {
    const expected = count(safari.filter((session) => rating(session) === name))
    expect(byRating.get(name) ?? 0).toBe(expected)
  }
  const poor = safari.filter((session) => (session.worst('LCP') ?? 0) > 4_000)
  expect(
    new Map(facets[2].values.map((one: { value: string; count: number }) => [one.value, one.count])).get(
      'none',
    ) ?? 0,
  ).toBe(count(poor.filter(({ errors }) => errors === 0)))
})

test('are counted by what remains of them besides their events', async () => {
  const { facets } = await ask('sessions/facets', { fields: 'kept,profile,replay' })
  const count = (fits: (session: SessionByHand) => boolean) =>
    sessions.filter(fits).reduce((sum, { weight }) => sum + weight, 0)
  const counted = facets.map(({ values }: { values: { value: string; count: number }[] }) =>
    Object.fromEntries(values.map(({ value, count }) => [value, count])),
  )
  const both = (fits: (session: SessionByHand) => boolean) => ({
    true: count(fits),
    false: count((session) => !fits(session)),
  })
  expect(counted).toEqual([
    both(({ id }) => stage.recordings.get(id)?.isKept === true),
    both(({ id }) => stage.profiled.has(id)),
    both(any(({ hasReplay }) => hasReplay)),
  ])
})

test('are compared by the variation they read', async () => {
  const { variations } = await ask('sessions/variations', { flag: 'checkout', filter: '-country:DE' })
  const fitting = sessions.filter(({ events }) => !events.some(({ country }) => country === 'DE'))
  const read = (session: SessionByHand, variation: string) =>
    session.events.some(({ flags }) => flags.includes(`checkout=${variation}`))
  const count = (found: readonly SessionByHand[]) => found.reduce((sum, { weight }) => sum + weight, 0)
  expect(variations.map(({ variation }: { variation: string }) => variation).sort()).toEqual(['new', 'old'])
  for (const one of variations) {
    const own = fitting.filter((session) => read(session, one.variation))
    const measured = fitting.flatMap(({ events }) =>
      events.filter(({ flags }) => flags.includes(`checkout=${one.variation}`)),
    )
    expect(one).toEqual({
      variation: one.variation,
      sessions: count(own),
      withOthers: count(own.filter((session) => read(session, 'new') && read(session, 'old'))),
      withErrors: count(own.filter(({ errors }) => errors > 0)),
      withFailedRequests: count(
        own.filter(any(({ kind, endpoint, failed }) => kind === 'resource' && endpoint !== '' && failed)),
      ),
      withFrustration: count(own.filter(any(({ frustration }) => frustration.length > 0))),
      vitals: vitalsOf(measured),
    })
  }
})

test('show one from its first event to its last, with flags in order', async () => {
  const long = sessions.reduce((most, one) => (one.events.length > most.events.length ? one : most))
  const events = await askAll(`sessions/${long.id}/events`, { limit: 60, ...always })
  expect(events.map(({ id }) => id)).toEqual(long.events.map(({ id }) => id))
  const session = await ask(`sessions/${long.id}`, always)
  expect(session.events).toBe(long.events.length)
  const read = session.flagChanges.map(({ flag, previous }: { flag: string; previous: string | null }) => [
    flag,
    previous,
  ])
  expect(read).toEqual([
    ['banner', null],
    ['checkout', null],
  ])
})

const vitalGood: Record<string, number> = { LCP: 2_500, INP: 200, CLS: 0.1, FCP: 1_800, TTFB: 800 }
const timesGood = ({ name, value }: SomeEvent) => Math.fround(value) / (vitalGood[name] ?? 1)
interface SomeMoments {
  of: string
  filter: string
  fits: (event: SomeEvent) => boolean
  badness?: (event: SomeEvent) => number
}

const moments: SomeMoments[] = [
  { of: 'error', filter: '', fits: ({ kind }) => kind === 'error' },
  {
    of: 'error',
    filter: 'issue:18446744073709551615',
    fits: ({ issue }) => issue === '18446744073709551615',
  },
  {
    of: 'frustration',
    filter: 'browser:Safari',
    fits: ({ frustration, browser }) => frustration.length > 0 && browser === 'Safari',
  },
  {
    of: 'slow',
    filter: 'page:/cart lcp:*',
    fits: (event) => event.name === 'LCP' && event.page === '/cart' && timesGood(event) > 1,
    badness: timesGood,
  },
  {
    of: 'slow',
    filter: '',
    fits: ({ kind, name, value }) =>
      kind === 'vital' && Math.fround(value) > Math.fround(vitalGood[name] ?? 0),
    badness: timesGood,
  },
  {
    of: 'request',
    filter: 'endpoint:/api/cart',
    fits: ({ endpoint }) => endpoint === '/api/cart',
    badness: ({ failed, duration }) => (failed ? 1e9 : 0) + duration,
  },
  {
    of: 'any',
    filter: 'flag:checkout=new kept:true',
    fits: ({ flags, session }) =>
      flags.includes('checkout=new') && stage.recordings.get(session)?.isKept === true,
  },
  { of: 'exposure', filter: 'flag:checkout=new', fits: () => false },
]

test.each(moments)('have moments to watch: $of that match "$filter"', async (some) => {
  const { of, filter, fits, badness = () => 0 } = some
  const isCovered = ({ session, at }: SomeEvent) => {
    const { segments = [] } = stage.recordings.get(session) ?? {}
    return at >= (segments[0]?.from ?? 0) && at <= (segments.at(-1)?.to ?? 0)
  }
  const found = stage.seen
    .filter((event) => fits(event) && stage.recordings.has(event.session))
    .sort(
      (a, b) =>
        Number(isCovered(b)) - Number(isCovered(a)) ||
        badness(b) - badness(a) ||
        b.at - a.at ||
        (a.id < b.id ? 1 : -1),
    )
  const expected = [...new Map(found.toReversed().map((event) => [event.session, event])).values()].sort(
    (a, b) => found.indexOf(a) - found.indexOf(b),
  )
  const { items, total } = await ask('replays/moments', { of, filter, limit: 5 })
  expect(total).toBe(expected.length)
  expect(items.map(({ event }: { event: { id: string } }) => event.id)).toEqual(
    expected.slice(0, 5).map(({ id }) => id),
  )
  for (const [index, item] of items.entries()) {
    const event = expected[index]
    const session = stage.ours.filter((one) => one.session === event?.session && !one.bot)
    const begun = Math.min(...session.map(({ at }) => at))
    const lead = event?.kind === 'vital' && ['LCP', 'FCP', 'TTFB'].includes(event.name) ? event.value : 0
    expect(item).toMatchObject({
      session: event?.session,
      at: new Date(event?.at ?? 0).toISOString(),
      tab: event?.tab,
      offset: Math.max(0, Math.round((event?.at ?? 0) - lead - begun)),
      covered: event && isCovered(event),
      replay: {
        length: recordedLength(event?.session ?? ''),
        kept: stage.recordings.get(event?.session ?? '')?.isKept,
      },
      event: { page: event?.page, name: event?.name, errorMessage: event?.message, failed: event?.failed },
      browser: event?.browser,
    })
  }
})
