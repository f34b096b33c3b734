import type { Metric } from '../../../api/metrics.ts'
import type { Column } from '../../../ui/table/column.ts'
import { editColumn } from '../../../ui/table/edit-column.tsx'
import { limitSentence, limitText } from '../../../ui/text/effect-text.ts'

interface MetricColumnsOptions {
  mayChange: boolean
  onEdit: (metric: Metric) => void
  /** Undefined for built-in metrics. */
  onDelete?: (metric: Metric) => void
}

export function metricColumns(requested: MetricColumnsOptions): readonly Column<Metric>[] {
  return [
    {
      id: 'name',
      header: 'Metric',
      fixed: true,
      card: 'title',
      width: '34%',
      cell: ({ name, key }) => (
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-8">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
          <code className="truncate text-text-3">{key}</code>
        </span>
      ),
    },
    {
      id: 'measured',
      header: 'Measured as',
      cell: (metric) => (
        <span className="text-text-2">
          {measuredText(metric)}
          {metric.event !== null && (
            <>
              {' '}
              <code className="[overflow-wrap:anywhere]">{metric.event}</code>
            </>
          )}
          {metric.filter !== '' && (
            <>
              {' '}
              where <code className="[overflow-wrap:anywhere]">{metric.filter}</code>
            </>
          )}
        </span>
      ),
    },
    {
      id: 'limit',
      header: 'Limit',
      cell: ({ limit, usualLimit, better }) => (
        <span className="whitespace-nowrap text-text-2">
          {limitSentence(limit, better)}
          {usualLimit !== null && usualLimit !== limit && (
            <span className="text-text-3"> (default {limitText(usualLimit, better)})</span>
          )}
        </span>
      ),
    },
    editColumn({
      ...requested,
      // Only the limit of a built-in metric can be changed.
      ...(!requested.onDelete && { editLabel: ({ name }) => `Change the limit of ${name}` }),
    }),
  ]
}

function measuredText({ aggregation, quantile, cap, event }: Metric): string {
  if (aggregation === 'quantile')
    return `p${Number((100 * (quantile ?? 0.75)).toPrecision(4))}${event === null ? '' : ' of'}`
  if (aggregation === 'sum') return 'total per user of'
  if (aggregation === 'sum-per-session') return 'total per session of'
  if (aggregation === 'count-per-user') return 'events per user,'
  if (aggregation === 'mean') return 'mean value of'
  if (aggregation === 'proportion') return event === null ? 'share of users' : 'share of users with'
  if (event === null) return cap === 1 ? 'share' : `count, at most ${cap}`
  return `count per session, at most ${cap}, of`
}
