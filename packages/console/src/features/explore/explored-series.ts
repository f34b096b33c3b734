import type { Explored } from '../../api/explore.ts'
import type { TimeSeries } from '../../charts/time-chart.tsx'
import type { ExploreSearch } from './explore-search.ts'
import { groupName } from './group-name.ts'
import { colorOf } from './series-colors.ts'

type Drawn = Pick<Explored, 'groups'> & {
  before?: Explored | undefined
  look: NonNullable<ExploreSearch['look']>
}

/** The groups of a result as the lines of a chart, and the previous period of a single one. */
export function exploredSeries({ groups, before, look }: Drawn): TimeSeries[] {
  const isAlone = groups.length === 1 && groups[0]?.values?.length === 0
  const kind = look === 'lines' ? 'line' : 'bars'
  const lines = groups.map(({ values, points }, order): TimeSeries => {
    const color = colorOf(order, { isOther: values === null, isAlone })
    return { label: groupName(values), color, kind, values: points.map(({ value }) => value) }
  })
  const earlier = isAlone ? before?.groups[0] : undefined
  if (!earlier) return lines
  // Aligned by start: both periods have the same number of steps, within one.
  const values = (groups[0]?.points ?? []).map((_, step) => earlier.points[step]?.value ?? null)
  return [...lines, { label: 'Previous period', color: 'text-3', kind: 'line', values }]
}

/** The instants of its steps, and those that are incomplete. */
export function exploredTimes({ groups }: Pick<Explored, 'groups'>) {
  const points = groups[0]?.points ?? []
  return {
    times: points.map(({ at }) => Date.parse(at)),
    partial: new Set(points.flatMap((point) => (point.partial ? [Date.parse(point.at)] : []))),
  }
}
