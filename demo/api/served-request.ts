// What the servers of Pedal & Post do for one request of the shop, as the spans and log records that they report. The API
// asks a database and, for orders, the service that takes payments. Hybrid search is slow because of one query.

import { createHash } from 'node:crypto'

export interface ServedRequest {
  /** 32 hex digits. */
  trace: string
  /** Of the caller, as in `traceparent`. */
  parent: string
  method: string
  /** Relative to /demo/api/. */
  path: string
  status: number
  /** Milliseconds since 1970. */
  startedAt: number
  /** Of the server's part, in milliseconds. */
  duration: number
  session: string
  user: string
  isHybrid: boolean
}

interface Work {
  name: string
  /** From 0 to 1 of the request. */
  from: number
  to: number
  query?: string
  /** Inside of it. */
  of?: string
  service?: Service
  kind?: number
}

export type Service = 'pedal-post-api' | 'payments'

interface ServedSpan {
  service: Service
  span: object
}

interface ServedLog {
  service: Service
  record: object
}

const [internal, server, client] = [1, 2, 3]
const failedStatus = 2
const slowQuery = 500

const queries = {
  'SELECT products': 'SELECT id, name, price FROM products WHERE category = $1 ORDER BY rank',
  'SELECT product': 'SELECT * FROM products WHERE id = $1',
  'SELECT photos': 'SELECT side, taken_at FROM photos WHERE product = $1 ORDER BY taken_at',
  'SELECT words': "SELECT id FROM products WHERE words @@ plainto_tsquery('english', $1)",
  'SELECT embeddings': 'SELECT product FROM embeddings ORDER BY vector <=> $1 LIMIT 24',
  'SELECT prices': 'SELECT product, price FROM prices WHERE product = ANY($1)',
  'SELECT carriers': 'SELECT carrier, days FROM carriers WHERE country = $1',
  'INSERT orders': 'INSERT INTO orders (customer, lines, total) VALUES ($1, $2, $3)',
  'INSERT charges': 'INSERT INTO charges (order_id, amount) VALUES ($1, $2)',
} as const

type Stretch = readonly [from: number, to: number]

const query = (name: keyof typeof queries, [from, to]: Stretch, more: Partial<Work> = {}): Work => ({
  ...{ name, from, to, query: queries[name], kind: client },
  ...more,
})

/** The route and the steps of a request. */
function workOf(path: string, isHybrid: boolean): { route: string; work: Work[] } {
  const price = (from: number, to: number): Work[] => [
    { name: 'price cart', from, to },
    query('SELECT prices', [from + (to - from) * 0.15, from + (to - from) * 0.75], { of: 'price cart' }),
  ]
  if (path.startsWith('search')) {
    const steps = isHybrid
      ? [
          query('SELECT embeddings', [0.06, 0.82]),
          query('SELECT words', [0.06, 0.3]),
          { name: 'rank', from: 0.83, to: 0.95 },
        ]
      : [query('SELECT words', [0.1, 0.75]), { name: 'rank', from: 0.77, to: 0.9 }]
    return { route: '/api/search', work: steps }
  }
  if (/^products\/\d+\/photos/.test(path))
    return { route: '/api/products/:id/photos', work: [query('SELECT photos', [0.05, 0.88])] }
  if (/^products\/\d+/.test(path))
    return { route: '/api/products/:id', work: [query('SELECT product', [0.15, 0.7])] }
  if (path.startsWith('products'))
    return { route: '/api/products', work: [query('SELECT products', [0.12, 0.78])] }
  if (path === 'quote')
    return { route: '/api/quote', work: [...price(0.08, 0.4), query('SELECT carriers', [0.44, 0.85])] }
  if (path !== 'orders') return { route: `/api/${path}`, work: price(0.1, 0.85) }
  return {
    route: '/api/orders',
    work: [
      ...price(0.05, 0.25),
      query('INSERT orders', [0.27, 0.4]),
      { name: 'POST /charges', from: 0.42, to: 0.94, kind: client },
      { name: 'POST /charges', from: 0.45, to: 0.92, of: 'POST /charges', service: 'payments', kind: server },
      query('INSERT charges', [0.5, 0.62], { of: 'payments POST /charges', service: 'payments' }),
    ],
  }
}

/** IDs are derived from the trace, so that the same request is the same spans. */
export function spansOf(request: ServedRequest): ServedSpan[] {
  const { trace, parent, method, path, status, startedAt, duration, session, user, isHybrid } = request
  const { route, work } = workOf(path, isHybrid)
  const isFailed = status >= 500
  const idOf = (index: number) => createHash('md5').update(`${trace} ${index}`).digest('hex').slice(0, 16)
  const root: ServedSpan = {
    service: 'pedal-post-api',
    span: {
      ...{ traceId: trace, spanId: idOf(0), parentSpanId: parent, name: `${method} ${route}`, kind: server },
      ...between(startedAt, startedAt + duration),
      ...(isFailed && { status: { code: failedStatus, message: `answered ${status}` } }),
      attributes: attributesOf({
        ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        ...(session !== '' && { 'session.id': session }),
        ...(user !== '' && { 'user.id': user }),
      }),
    },
  }
  const parents = new Map<string, string>()
  const steps = work.map(
    ({ name, from, to, query: statement, of, service = 'pedal-post-api', kind = internal }, index) => {
      const spanId = idOf(index + 1)
      const parentSpanId = (of !== undefined && parents.get(of)) || idOf(0)
      parents.set(service === 'pedal-post-api' ? name : `${service} ${name}`, spanId)
      const hasFailed = isFailed && (path === 'orders' ? name === 'POST /charges' : index === work.length - 1)
      return {
        service,
        span: {
          ...{ traceId: trace, spanId, parentSpanId, name, kind },
          ...between(startedAt + from * duration, startedAt + to * duration),
          ...(hasFailed && { status: { code: failedStatus, message: `answered ${status}` } }),
          attributes: attributesOf(
            statement === undefined ? {} : { 'db.system.name': 'postgresql', 'db.query.text': statement },
          ),
        },
      }
    },
  )
  return [root, ...steps]
}

/** Failures, slow queries, and orders. */
export function logsOf(request: ServedRequest): ServedLog[] {
  const { trace, method, path, status, startedAt, duration, isHybrid } = request
  const spanId = createHash('md5').update(`${trace} 0`).digest('hex').slice(0, 16)
  const at = startedAt + duration
  const log = (severityNumber: number, body: string, service: Service = 'pedal-post-api'): ServedLog => ({
    service,
    record: {
      ...{ traceId: trace, spanId, timeUnixNano: nanos(at), severityNumber, body: { stringValue: body } },
      attributes: attributesOf({ 'http.response.status_code': status }),
    },
  })
  const slowest = 0.76 * duration
  if (status >= 500 && path === 'orders')
    return [
      log(17, 'charge refused: the bank did not answer in time', 'payments'),
      log(17, `order not placed: payments answered ${status}`),
    ]
  if (status >= 500) return [log(17, `${method} /api/${path.split('?')[0]} answered ${status}`)]
  if (path === 'orders') return [log(9, 'order placed')]
  if (isHybrid && path.startsWith('search') && slowest >= slowQuery)
    return [log(13, `slow query: SELECT embeddings took ${Math.round(slowest)} ms`)]
  return []
}

const nanos = (at: number) => `${Math.floor(at)}${String(Math.floor((at % 1) * 1e6)).padStart(6, '0')}`

const between = (from: number, to: number) => ({ startTimeUnixNano: nanos(from), endTimeUnixNano: nanos(to) })

const attributesOf = (attributes: Record<string, string | number>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
