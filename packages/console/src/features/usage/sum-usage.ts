// The rows of a reading as totals by group, and as one series per group.

import { type Meter, meters } from '@telltale/core/usage/meters'
import type { UsageRow } from '../../api/usage.ts'
import type { TimeSeries } from '../../charts/time-chart.tsx'

export interface UsageGroup {
  id: string
  name: string
  totals: Record<Meter, number>
}

type NamedBy = (row: UsageRow) => { id: string; name: string }

/** By project, in a reading of all projects. */
export type UsageDimension = 'project' | 'environment' | 'key' | 'application'

const nameOf: Readonly<Record<UsageDimension, NamedBy>> = {
  project: (row) => {
    const project = 'project' in row ? row.project : ''
    return { id: project, name: project }
  },
  environment: ({ environment }) => ({ id: environment ?? '', name: environment ?? '' }),
  key: ({ key }) => {
    const { id = '', label = '', prefix = '' } = key ?? {}
    return { id, name: label || prefix || 'Deleted key' }
  },
  application: ({ application }) => ({ id: application ?? '', name: application || 'No application' }),
}

/** Largest first, by the meter that is shown. */
export function groupUsage(rows: readonly UsageRow[], by: UsageDimension, meter: Meter): UsageGroup[] {
  const groups = new Map<string, UsageGroup>()
  for (const row of rows) {
    const { id, name } = nameOf[by](row)
    const group = groups.get(id) ?? { id, name, totals: noUsage() }
    group.totals[row.kind] += row.count
    groups.set(id, group)
  }
  return [...groups.values()].sort(
    (one, other) => other.totals[meter] - one.totals[meter] || one.name.localeCompare(other.name),
  )
}

const noUsage = (): Record<Meter, number> => ({
  events: 0,
  sessions: 0,
  replaySegments: 0,
  replayBytes: 0,
  profiles: 0,
  spans: 0,
  logs: 0,
  bytes: 0,
  evaluations: 0,
})

export function sumUsage(groups: readonly UsageGroup[]): Record<Meter, number> {
  const sum = noUsage()
  for (const { totals } of groups) for (const meter of meters) sum[meter] += totals[meter]
  return sum
}

const colors = ['v0', 'v1', 'v2', 'v3', 'v4'] as const
const day = 86_400_000

interface UsageChart {
  times: number[]
  series: TimeSeries[]
}

/** One bar per day, stacked by the largest groups; the rest are drawn together. */
export function chartUsage(
  { from, to, rows }: { from: string; to: string; rows: readonly UsageRow[] },
  { by, meter }: { by: UsageDimension; meter: Meter },
): UsageChart {
  const first = Date.parse(from)
  const count = Math.round((Date.parse(to) - first) / day) + 1
  const times = Array.from({ length: count }, (_, index) => first + index * day)
  const own = rows.filter(({ kind }) => kind === meter)
  const groups = groupUsage(own, by, meter)
  const shown = groups.slice(0, groups.length > colors.length ? colors.length - 1 : colors.length)
  const valuesOf = (isIn: (id: string) => boolean) => {
    const values = times.map(() => 0)
    for (const row of own) {
      const index = row.day === null ? -1 : Math.round((Date.parse(row.day) - first) / day)
      if (isIn(nameOf[by](row).id)) values[index] = (values[index] ?? 0) + row.count
    }
    return values
  }
  const ids = new Set(shown.map(({ id }) => id))
  const series: TimeSeries[] = shown.map(({ id, name }, index) => ({
    label: name,
    color: colors[index] ?? 'v0',
    kind: 'bars',
    values: valuesOf((one) => one === id),
  }))
  if (groups.length > shown.length) {
    const label = `${groups.length - shown.length} others`
    series.push({ label, color: 'text-3', kind: 'bars', values: valuesOf((one) => !ids.has(one)) })
  }
  return { times, series }
}
