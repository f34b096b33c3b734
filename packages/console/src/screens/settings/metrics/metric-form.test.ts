import { expect, test } from 'vitest'
import { formOf, newMetricForm, readMetricForm } from './metric-form.ts'

const orders = { ...newMetricForm, name: 'Orders', event: 'order placed' }

test('the key comes from the name, limits are typed in percent', () => {
  const { draft, faults } = readMetricForm({ ...orders, limit: '2,5' })
  expect(faults).toEqual({})
  expect(draft).toEqual({
    ...{ key: 'orders', name: 'Orders', event: 'order placed', aggregation: 'proportion' },
    ...{ better: 'higher', unit: '', limit: 0.025 },
  })
})

test('what is missing or makes no sense is told; a cap only where something is counted', () => {
  expect(Object.keys(readMetricForm({ ...newMetricForm, limit: '0', cap: '0' }).faults)).toEqual([
    'name',
    'key',
    'event',
    'limit',
  ])
  expect(readMetricForm({ ...orders, aggregation: 'count', cap: '0' }).faults).toHaveProperty('cap')
})

test('a saved metric comes back as it was typed', () => {
  const saved = {
    ...{
      key: 'orders',
      name: 'Orders',
      builtIn: false,
      event: 'order placed',
      aggregation: 'count' as const,
    },
    ...{
      quantile: null,
      cap: 3,
      better: 'higher' as const,
      unit: '',
      limit: 0.07,
      version: 2,
      createdAt: null,
    },
  }
  expect(readMetricForm(formOf(saved)).draft).toMatchObject({ key: 'orders', cap: 3, limit: 0.07 })
})
