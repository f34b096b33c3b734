import { expect, test } from 'vitest'
import { buildTraceTree, sharesOf, type TreeSpan } from './trace-tree.ts'

type Timed = readonly [at: number, duration: number, service?: string]

const span = (spanId: string, parentId: string, [at, duration, service = 's']: Timed): TreeSpan => ({
  spanId,
  parentId,
  service,
  at,
  duration,
})
const shapeOf = (spans: readonly TreeSpan[]) =>
  buildTraceTree(spans).map(({ span: { spanId }, depth, below }) => `${'.'.repeat(depth)}${spanId} ${below}`)

test('spans come below their parent by their beginning, in whatever order they arrive', () => {
  const spans = [
    span('c', 'a', [30, 10]),
    span('d', 'b', [6, 1]),
    span('b', 'a', [5, 10]),
    span('a', '', [0, 50]),
  ]
  expect(shapeOf(spans)).toEqual(['a 3', '.b 1', '..d 0', '.c 0'])
})

test('a span whose parent is missing begins a tree of its own', () => {
  const rows = buildTraceTree([span('a', '', [0, 5]), span('x', 'lost', [2, 1])])
  expect(rows.map(({ span: { spanId }, isOrphan }) => [spanId, isOrphan])).toEqual([
    ['a', false],
    ['x', true],
  ])
})

test('circles of parents end, and every span is shown once', () => {
  const spans = [
    span('a', 'b', [0, 1]),
    span('b', 'a', [1, 1]),
    span('self', 'self', [2, 1]),
    span('c', 'b', [3, 1]),
  ]
  expect(shapeOf(spans)).toEqual(['self 0', 'a 2', '.b 1', '..c 0'])
})

test('a trace as deep as it has spans', () => {
  const spans = Array.from({ length: 50_000 }, (_, n) => span(`${n}`, n === 0 ? '' : `${n - 1}`, [n, 1]))
  const rows = buildTraceTree(spans)
  expect(rows).toHaveLength(50_000)
  expect(rows.at(-1)?.depth).toBe(49_999)
  expect(rows[0]?.below).toBe(49_999)
})

test('self time leaves out children that run beside each other once, and only while the span itself ran', () => {
  const rows = buildTraceTree([
    span('a', '', [0, 100, 'web']),
    span('b', 'a', [10, 40, 'db']),
    span('c', 'a', [30, 40, 'db']),
    span('late', 'a', [95, 50, 'queue']),
  ])
  expect(rows[0]?.self).toBe(100 - 60 - 5)
  expect(sharesOf(rows)).toEqual([
    { service: 'db', spans: 2, self: 80, share: 80 / 165 },
    { service: 'queue', spans: 1, self: 50, share: 50 / 165 },
    { service: 'web', spans: 1, self: 35, share: 35 / 165 },
  ])
})
