import { expect, test } from 'vitest'
import type { UsageRow } from '../../api/usage.ts'
import { chartUsage, groupUsage, sumUsage } from './sum-usage.ts'

const row = (day: string, application: string, count: number): UsageRow => ({
  day,
  environment: null,
  key: null,
  application,
  kind: 'events',
  count,
})

const rows = [
  row('2026-03-01', 'shop', 10),
  row('2026-03-03', 'shop', 5),
  row('2026-03-03', '', 20),
  { ...row('2026-03-03', 'shop', 7), kind: 'sessions' as const },
]

test('totals are by group, the largest first', () => {
  const groups = groupUsage(rows, 'application', 'events')
  expect(groups.map(({ name, totals }) => [name, totals.events, totals.sessions])).toEqual([
    ['No application', 20, 0],
    ['shop', 15, 7],
  ])
  expect(sumUsage(groups)).toMatchObject({ events: 35, sessions: 7, bytes: 0 })
})

test('a chart has every day of the period, and draws small groups together', () => {
  const period = { from: '2026-03-01', to: '2026-03-04' }
  const chart = chartUsage({ ...period, rows }, { by: 'application', meter: 'events' })
  expect(chart.times).toHaveLength(4)
  expect(chart.series.map(({ label, values }) => [label, values])).toEqual([
    ['No application', [0, 0, 20, 0]],
    ['shop', [10, 0, 5, 0]],
  ])

  const many = Array.from({ length: 8 }, (_, index) => row('2026-03-02', `app-${index}`, 10 - index))
  const { series } = chartUsage({ ...period, rows: many }, { by: 'application', meter: 'events' })
  expect(series.map(({ label }) => label)).toEqual(['app-0', 'app-1', 'app-2', 'app-3', '4 others'])
  expect(series.at(-1)?.values).toEqual([0, 6 + 5 + 4 + 3, 0, 0])
})
