import { readSpansOfJson } from '@telltale/core/telemetry/otlp/read-json'
import { expect, test } from 'vitest'
import { toOtlp } from './otlp.ts'
import type { ServedRequest } from './served-request.ts'

const request = (more: Partial<ServedRequest>): ServedRequest => ({
  ...{ trace: '0123456789abcdef0123456789abcdef', parent: '0123456789abcdef', method: 'GET', status: 200 },
  ...{
    path: 'search?q',
    startedAt: 1_800_000_000_000,
    duration: 1_000,
    session: '',
    user: '',
    isHybrid: false,
  },
  ...more,
})

function spansOf(more: Partial<ServedRequest>) {
  const body: Record<string, unknown> = JSON.parse(toOtlp([request(more)]).traces)
  return [...readSpansOfJson(body)].map(({ item, resource }) => ({ ...item, resource }))
}

const paths = [
  'products?featured=1',
  'products/204',
  'products/204/photos',
  'search?q',
  'cart',
  'quote',
  'orders',
]

test.each(paths)('%s is one tree, whose spans are inside of their parents', (path) => {
  const spans = spansOf({ path })
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  expect(byId.size).toBe(spans.length)
  for (const span of spans) {
    const parent = byId.get(span.parentId)
    if (parent === undefined) {
      expect(span).toMatchObject({ parentId: '0123456789abcdef', kind: 2 })
      continue
    }
    expect(span.startedAt).toBeGreaterThanOrEqual(parent.startedAt)
    // Microseconds and milliseconds.
    expect(span.startedAt / 1_000 + span.duration).toBeLessThanOrEqual(
      parent.startedAt / 1_000 + parent.duration + 0.01,
    )
  }
  expect(spans.filter(({ parentId }) => !byId.has(parentId))).toHaveLength(1)
})

test('hybrid search is slow because of one query, which a log record names', () => {
  const [longest] = spansOf({ isHybrid: true })
    .slice(1)
    .toSorted((one, other) => other.duration - one.duration)
  expect(longest).toMatchObject({ name: 'SELECT embeddings', duration: 760 })
  expect(toOtlp([request({ isHybrid: true })]).logs).toContain('slow query: SELECT embeddings took 760 ms')
  expect(toOtlp([request({})]).logs).toBeUndefined()
})

test('an order that fails is the failure of payments', () => {
  const failed = spansOf({ path: 'orders', method: 'POST', status: 503 }).filter(({ status }) => status === 2)
  expect(failed.map(({ name }) => name)).toEqual(['POST /api/orders', 'POST /charges', 'POST /charges'])
  expect(toOtlp([request({ path: 'orders', status: 503 })]).logs).toContain('the bank did not answer in time')
})
