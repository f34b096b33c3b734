// Twenty payments whose first two are slow because of one query: what the browser and two services report of them.

import { newSpanId, newTraceId, spanOf, traceRequest } from './otlp.ts'
import { context, event, toLines } from './visitor.ts'

const slowCount = 2

export function slowPayments({ api, payments, path }: { api: string; payments: string; path: string }) {
  const at = Date.now() - 120_000
  const requests = Array.from({ length: 20 }, (_, n) => {
    const query = n < slowCount ? 200 : 20
    return { traceId: newTraceId(), root: newSpanId(), at: at + n, query, whole: query + 60 }
  })
  const ofApi = requests.flatMap(({ traceId, root, at: began, query, whole }) => {
    const inRoot = { traceId, parentSpanId: root }
    return [
      spanOf({
        ...{ traceId, spanId: root, parentSpanId: newSpanId(), at: began, duration: whole },
        ...{ kind: 2, name: 'POST /pay' },
      }),
      spanOf({ ...inRoot, at: began + 10, duration: query, kind: 3, name: 'SELECT stock' }),
      // After its parent: no part of it.
      spanOf({ ...inRoot, at: began + 1_000, duration: 50, name: 'mail' }),
    ]
  })
  // During the query: of a short query 10 ms are left to it, of a long one nothing.
  const ofPayments = requests.map(({ traceId, root, at: began }) =>
    spanOf({ traceId, parentSpanId: root, at: began + 20, duration: 20, kind: 2, name: 'charge' }),
  )
  // The trace of the last one never arrives.
  const seen = [...requests, { traceId: newTraceId(), at, whole: 9_000 }]
  const lines = toLines([
    context(),
    ...seen.map(({ traceId, at: began, whole }) =>
      event('resource', {
        ...{ type: 'fetch', url: `https://shop.example${path}`, method: 'POST', status: 200 },
        ...{ traceId, at: began, duration: whole + 40, endpoint: path },
      }),
    ),
  ])
  const ids = requests.map(({ traceId }) => traceId)
  return {
    slow: ids.slice(0, slowCount),
    others: ids.slice(slowCount),
    traces: [traceRequest(api, ofApi), traceRequest(payments, ofPayments)],
    lines,
  }
}
