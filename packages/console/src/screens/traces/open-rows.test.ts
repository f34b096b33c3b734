import { buildTraceTree } from '@telltale/core/telemetry/otlp/trace-tree'
import { expect, test } from 'vitest'
import { openRows, spansAbove } from './open-rows.ts'

const span = (spanId: string, parentId = '') => ({ spanId, parentId, service: 's', at: 0, duration: 1 })
const rows = buildTraceTree([span('a'), span('b', 'a'), span('c', 'b'), span('d', 'a'), span('e')])
const shown = (closed: string[]) => openRows(rows, new Set(closed)).map(({ span: { spanId } }) => spanId)

test('a closed span hides what is below it, and nothing else', () => {
  expect(shown([])).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(shown(['b'])).toEqual(['a', 'b', 'd', 'e'])
  expect(shown(['a', 'b'])).toEqual(['a', 'e'])
})

test('the spans above one', () => {
  expect(spansAbove(rows, 'c')).toEqual(['b', 'a'])
  expect(spansAbove(rows, 'e')).toEqual([])
  expect(spansAbove(rows, 'missing')).toEqual([])
})
