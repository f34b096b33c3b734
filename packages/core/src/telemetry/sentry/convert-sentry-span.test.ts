import { expect, test } from 'vitest'
import { convertSentrySpan, isView, pageOf } from './convert-sentry-span.ts'
import { type SentrySpan, streamedSpans, transactionSpans } from './sentry-span.ts'

const ids = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' }
const load = (name: string, more: object) => ({
  ...{ transaction: name, start_timestamp: 1_795_861_798, timestamp: 1_795_861_799 },
  contexts: { trace: { ...ids, op: 'pageload' } },
  ...more,
})
const streamed = (name: string, attributes: Record<string, unknown>) =>
  streamedSpans({
    items: [
      {
        ...{ ...ids, name, is_segment: true, start_timestamp: 1_795_861_798, end_timestamp: 1_795_861_799 },
        attributes: Object.fromEntries(
          Object.entries(attributes).map(([key, value]) => [key, { value, type: typeof value }]),
        ),
      },
    ],
  })
const first = ([span]: SentrySpan[]) => {
  if (span === undefined) throw new Error('no span')
  return span
}

test('a page is named by the route of its framework, in the words of every version, and never by its address', () => {
  const older = first(transactionSpans(load('/orders/:id', { transaction_info: { source: 'route' } })))
  const newer = first(
    streamed('/orders/:id', { 'sentry.op': 'navigation', 'sentry.segment.name.source': 'route' }),
  )
  const address = first(
    streamed('/orders/7', { 'sentry.op': 'pageload', 'sentry.segment.name.source': 'url' }),
  )
  expect([older, newer, address].map(isView)).toEqual([true, true, true])
  expect([older, newer, address].map(pageOf)).toEqual([{ page: '/orders/:id' }, { page: '/orders/:id' }, {}])
})

test('a page load is a view with its vitals, and a span of the application nothing', () => {
  const measured = load('/', { measurements: { lcp: { value: 1_200 } } })
  expect(convertSentrySpan(first(transactionSpans(measured)))).toMatchObject([
    { kind: 'view', name: 'load' },
    { kind: 'vital', name: 'LCP', value: 1_200 },
  ])
  expect(convertSentrySpan(first(streamed('sum up', { 'sentry.op': 'task' })))).toEqual([])
})
