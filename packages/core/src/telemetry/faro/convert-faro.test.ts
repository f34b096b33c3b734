import { expect, test } from 'vitest'
import { convertFaro } from './convert-faro.ts'
import { type FaroVisit, newVisit } from './faro-views.ts'
import { readItems, readMeta } from './read-faro.ts'

const start = Date.UTC(2026, 10, 29, 12)
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()
const site = 'https://shop.example'

const convert = (visit: FaroVisit, page: string, lists: object) => {
  const body = { meta: { page: { url: `${site}${page}` }, app: { name: 'shop' } }, ...lists }
  const request = JSON.stringify(lists)
  const all = { meta: readMeta(body), items: readItems(body), session: 's', visit, request }
  return convertFaro({ ...all, idOf: (text) => text })
}
const started = (seconds: number, name = 'session_start') => ({ name, timestamp: at(seconds) })
const loaded = (seconds: number, page: string, faroNavigationId: string) => ({
  name: 'faro.performance.navigation',
  timestamp: at(seconds),
  attributes: { name: `${site}${page}`, initiatorType: 'navigation', duration: '80', faroNavigationId },
})
const request = (seconds: number, url: string, attributes = {}) => ({
  name: 'faro.performance.resource',
  timestamp: at(seconds),
  attributes: { name: url, initiatorType: 'fetch', duration: '20', responseStatus: '200', ...attributes },
})
const span = (seconds: number, url: string, attributes = {}) => ({
  name: 'faro.tracing.fetch',
  timestamp: at(seconds),
  attributes: {
    ...{ 'http.request.method': 'POST', 'url.full': url, duration_ns: '20000000' },
    ...{ 'http.response.status_code': '200', ...attributes },
  },
  trace: { trace_id: 'd2a8aeabc45f425f94c8ee523dd23236', span_id: 'b7ad6b7169203331' },
})
const custom = (seconds: number) => ({ name: 'seen', timestamp: at(seconds) })

const viewsIn = ({ events }: ReturnType<typeof convert>) =>
  events.flatMap(({ event }) => (event.kind === 'view' ? [[event.name, event.at - start]] : []))
function store({ views }: ReturnType<typeof convert>): void {
  for (const view of views) view.isStored = true
}

test('a page load is one view, however its two announcements arrive, and each further one another', () => {
  const together = convert(newVisit(), '/', { events: [started(1), loaded(0, '/', 'n1')] })
  expect(viewsIn(together)).toEqual([['load', 0]])
  const visit = newVisit()
  const first = convert(visit, '/', { events: [started(1)] })
  expect(viewsIn(first)).toEqual([['load', 1_000]])
  store(first)
  expect(viewsIn(convert(visit, '/', { events: [loaded(0, '/', 'n1')] }))).toEqual([])
  // The same page again.
  const again = convert(visit, '/', { events: [started(9, 'session_resume'), loaded(8, '/', 'n2')] })
  expect(viewsIn(again)).toEqual([['load', 8_000]])
})

test('another path is another view; a query, a fragment and what arrives late are not', () => {
  const visit = newVisit()
  store(convert(visit, '/', { events: [started(0)] }))
  const cart = convert(visit, '/cart?from=7#top', { events: [custom(5)] })
  expect(viewsIn(cart)).toEqual([['route', 5_000]])
  store(cart)
  const [id] = cart.events.map(({ about }) => about.view)
  expect(viewsIn(convert(visit, '/cart', { events: [custom(6)] }))).toEqual([])
  const late = convert(visit, '/', { exceptions: [{ type: 'Error', value: 'late', timestamp: at(4) }] })
  expect(viewsIn(late)).toEqual([])
  expect(late.events[0]?.about.view).not.toBe(id)
  // Back again, which is reported once the page is still.
  const still = {
    name: 'faro.navigation',
    timestamp: at(7.5),
    attributes: { toUrl: `${site}/`, duration: 500 },
  }
  expect(viewsIn(convert(visit, '/', { events: [still] }))).toEqual([['route', 7_000]])
})

test('a route names its page, and what could not be stored begins its view once more', () => {
  const visit = newVisit()
  const change = {
    ...{ name: 'route_change', timestamp: at(2) },
    attributes: { toRoute: '/orders/:id', toUrl: `${site}/orders/7` },
  }
  const send = () => convert(visit, '/orders/7', { events: [change, custom(3)] })
  const first = send()
  expect(first.events.map(({ event, about }) => [event.kind, about.page])).toEqual([
    ['custom', '/orders/:id'],
    ['view', '/orders/:id'],
  ])
  expect(send()).toEqual(first)
  store(first)
  expect(viewsIn(send())).toEqual([])
})

test('a request that is timed and traced is stored once', () => {
  const visit = newVisit()
  const url = `${site}/api/stock`
  const timed = convert(visit, '/', { events: [started(0), request(1, url)] })
  store(timed)
  expect(timed.events[1]?.event).toMatchObject({ kind: 'resource', type: 'fetch', url, status: 200 })
  const traced = convert(visit, '/', { events: [span(1.03, url), span(2, `${site}/api/order`)] })
  expect(traced.dropped).toEqual([{ reason: 'reported_twice', kind: 'resource' }])
  expect(traced.events.map(({ event }) => event)).toMatchObject([
    {
      ...{ kind: 'resource', url: `${site}/api/order`, method: 'POST', duration: 20, at: start + 1_980 },
      ...{ traceId: 'd2a8aeabc45f425f94c8ee523dd23236', status: 200 },
    },
  ])
  // From now on spans report them, except those from before the client started on a page.
  const next = convert(visit, '/next', {
    events: [
      ...[started(10, 'session_resume'), loaded(9, '/next', 'n2')],
      ...[request(9.5, url, { faroNavigationId: 'n2' }), request(11, url, { faroNavigationId: 'n2' })],
    ],
  })
  expect(next.events.filter(({ event }) => event.kind === 'resource').map(({ event }) => event.at)).toEqual([
    start + 9_000,
    start + 9_500,
  ])
  const cut = convert(visit, '/next', {
    events: [span(12, url, { 'http.response.status_code': '0' })],
  })
  expect(cut.events[0]?.event).toMatchObject({ failed: true })
})

test('web vitals belong to the page load, also when the page has changed since', () => {
  const visit = newVisit()
  const vital = (seconds: number, values: object, context = {}) => ({
    ...{ type: 'web-vitals', values: { ...values, delta: 1 }, timestamp: at(seconds), context },
  })
  const load = convert(visit, '/', {
    events: [started(1), loaded(0, '/', 'n1')],
    // While the page loads, the client still names the page before.
    measurements: [vital(1, { fcp: 120 }, { navigation_entry_id: 'n0' })],
  })
  store(load)
  store(convert(visit, '/cart', { events: [custom(3)] }))
  const late = convert(visit, '/cart', {
    measurements: [
      vital(4, { inp: 40 }, { navigation_entry_id: 'n1', interaction_target: '#add' }),
      vital(5, { inp: 56 }, { navigation_entry_id: 'n1' }),
      vital(6, { lcp: 2 }, { navigation_type: 'back-forward-cache' }),
    ],
  })
  const view = load.events[0]?.about.view
  expect([...load.events, ...late.events].filter(({ event }) => event.kind === 'vital')).toMatchObject([
    { event: { name: 'FCP', value: 120, rev: 0 }, about: { view } },
    { event: { name: 'INP', value: 40, rev: 0, target: '#add' }, about: { view, url: `${site}/` } },
    { event: { name: 'INP', value: 56, rev: 1 }, about: { view } },
  ])
  expect(late.dropped).toEqual([{ reason: 'discarded', kind: 'vital' }])
})

test('a user action is an action, to which what happened meanwhile belongs', () => {
  const { events } = convert(newVisit(), '/', {
    events: [
      started(0),
      {
        ...{ name: 'faro.user.action', timestamp: at(2), action: { id: 'h7', name: 'add' } },
        attributes: {
          ...{ userActionName: 'add', userActionDuration: '129.9', userActionStartTime: '1' },
          ...{ userActionTrigger: 'pointerdown', item: 'bell' },
        },
      },
      { ...request(2.1, `${site}/api`), action: { parentId: 'h7', name: 'add' } },
    ],
    exceptions: [{ type: 'Error', value: 'no', timestamp: at(2.2), action: { parentId: 'h7' } }],
  })
  expect(events.map(({ event }) => event)).toMatchObject([
    { kind: 'custom', name: 'session_start' },
    {
      ...{ kind: 'action', name: 'add', action: 'action h7', duration: 129.9 },
      attributes: { userActionTrigger: 'pointerdown', item: 'bell' },
    },
    { kind: 'resource', action: 'action h7' },
    { kind: 'error', action: 'action h7' },
    { kind: 'view' },
  ])
})

test('what is not of the client itself is a custom event, with its flag', () => {
  const { events } = convert(newVisit(), '/', {
    events: [
      { name: 'ordered', domain: 'shop', timestamp: at(1), attributes: { plan: 'pro' } },
      {
        ...{ name: 'feature_flag.evaluation', domain: 'browser', timestamp: at(2) },
        attributes: { 'feature_flag.key': 'new-cart', 'feature_flag.result.value': 'true' },
      },
    ],
    measurements: [
      { type: 'basket', values: { total: 12.5 }, timestamp: at(3) },
      { type: 'basket', values: { total: 12.5, items: 3 }, timestamp: at(4), context: { from: 'cart' } },
    ],
  })
  expect(events.slice(0, 4)).toMatchObject([
    { event: { kind: 'custom', name: 'ordered', attributes: { plan: 'pro', 'event.domain': 'shop' } } },
    { flags: { 'new-cart': true } },
    { event: { kind: 'custom', name: 'basket', value: 12.5 } },
    { event: { name: 'basket', attributes: { total: 12.5, items: 3, from: 'cart' } } },
  ])
})

test('any JSON is read, and what has no time or no content is told', () => {
  for (const odd of [null, 7, 'text', [], [null, 4, 'x', {}], { length: 3 }, [{ timestamp: 'never' }]]) {
    const body = { meta: odd, events: odd, exceptions: odd, measurements: odd, logs: odd }
    const items = readItems(body)
    const all = { meta: readMeta(body), items, session: 's', visit: newVisit(), request: 'r' }
    const { events, dropped } = convertFaro({ ...all, idOf: (text) => text })
    expect(events).toEqual([])
    expect(dropped).toHaveLength(items.filter(({ kind }) => kind !== 'log').length)
  }
  const empty = { timestamp: at(1), attributes: null }
  const odd = convert(newVisit(), '/', {
    events: [
      empty,
      ...['faro.performance.navigation', 'faro.performance.resource', 'faro.user.action'].map((name) => ({
        ...empty,
        name,
      })),
      { ...empty, name: 'faro.tracing.document' },
      { ...empty, name: 'faro.session_recording.event' },
    ],
    exceptions: [empty],
    measurements: [empty],
  })
  expect(odd.events).toEqual([])
  expect(odd.dropped.map(({ reason }) => reason).sort()).toEqual([
    ...['invalid', 'invalid', 'invalid', 'invalid', 'invalid', 'invalid'],
    ...['unknown_kind', 'unsupported_recording'],
  ])
})
