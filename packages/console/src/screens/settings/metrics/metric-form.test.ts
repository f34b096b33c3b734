import { emptyFilter, parseFilter } from '@telltale/core/query/filter'
import { expect, test } from 'vitest'
import { formOf, measuredOf, newMetricForm, readMetricForm } from './metric-form.ts'

const orders = { ...newMetricForm, name: 'Orders', event: 'order placed' }

test('the key is derived from the name, and limits are percentages', () => {
  const { draft, faults } = readMetricForm({ ...orders, limit: '2,5' })
  expect(faults).toEqual({})
  expect(draft).toEqual({
    key: 'orders',
    name: 'Orders',
    event: 'order placed',
    filter: '',
    aggregation: 'proportion',
    better: 'higher',
    unit: '',
    limit: 0.025,
  })
})

test('missing and invalid values are reported; only counts and sums have a cap', () => {
  expect(Object.keys(readMetricForm({ ...newMetricForm, limit: '0', cap: '0' }).faults)).toEqual([
    'name',
    'key',
    'event',
    'limit',
  ])
  expect(readMetricForm({ ...orders, aggregation: 'count', cap: '0' }).faults).toHaveProperty('cap')
  const byFlag = parseFilter('flag:checkout=new')
  expect(readMetricForm({ ...orders, filter: byFlag.ok ? byFlag.result : emptyFilter }).faults).toEqual({
    filter: 'a metric cannot be filtered by flag.',
  })
})

test('only a percentile has a level', () => {
  const slow = { ...orders, quantile: 0.9 }
  expect(readMetricForm({ ...slow, aggregation: 'quantile' }).draft).toMatchObject({ quantile: 0.9 })
  expect(readMetricForm(slow).draft).not.toHaveProperty('quantile')
  expect(measuredOf({ ...slow, aggregation: 'count', cap: '3' })).toEqual({
    event: 'order placed',
    aggregation: 'count',
    cap: 3,
  })
})

test('a total has the percentile at which it is capped', () => {
  const revenue = { ...orders, quantile: 0.5, aggregation: 'sum' as const }
  expect(readMetricForm(revenue).draft).toMatchObject({ quantile: 0.99 })
  expect(measuredOf({ ...revenue, capQuantile: 0.95 })).toMatchObject({ quantile: 0.95 })
})

test('a saved metric is shown as entered', () => {
  const saved = {
    key: 'orders',
    name: 'Orders',
    builtIn: false,
    event: 'order placed',
    aggregation: 'count' as const,
    quantile: null,
    filter: 'browser:Safari',
    usualLimit: null,
    cap: 3,
    better: 'higher' as const,
    unit: '',
    limit: 0.07,
    version: 2,
    createdAt: null,
  }
  expect(readMetricForm(formOf(saved)).draft).toMatchObject({
    key: 'orders',
    cap: 3,
    limit: 0.07,
    filter: 'browser:Safari',
  })
})
