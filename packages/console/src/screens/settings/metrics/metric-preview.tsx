import { useQuery } from '@tanstack/react-query'
import { exploreQuery } from '../../../api/explore.ts'
import {
  type MeasuredMetric,
  metricPreviewQuery,
  type MetricPreview as Preview,
} from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import { Sparkline } from '../../../charts/sparkline.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { questionOf } from '../../../shell/use-question.ts'
import { Icon } from '../../../ui/icon.tsx'
import { valueText } from '../../../ui/text/effect-text.ts'
import { countOf, fullCountText } from '../../../ui/text/measure-text.ts'
import { useSettled } from '../../../ui/use-settled.ts'

/** Recent custom events, as options. */
export function useKnownEvents(): string[] {
  const { project, environment } = useScope()
  const question = questionOf({ project, env: environment.key, range: '7d' }, '')
  const found = useQuery(exploreQuery(question, { kind: 'custom', measure: 'count', by: 'name', top: 50 }))
  return (found.data?.groups ?? []).flatMap(({ values }) => values?.slice(0, 1) ?? [])
}

type MetricPreviewProps = { measured: MeasuredMetric; unit: string }

/** A preview of the edited metric over all users of the last days. */
export function MetricPreview({ measured, unit }: MetricPreviewProps) {
  const { project, environment } = useScope()
  const requested = useSettled(measured, JSON.stringify(measured))
  const preview = useQuery({
    ...metricPreviewQuery({ project, env: environment.key }, requested),
    enabled: requested.event !== '',
  })
  if (requested.event === '') return null
  const isOld = preview.isPlaceholderData || requested !== measured
  return (
    <section
      aria-label="Preview"
      aria-busy={isOld}
      className={`grid gap-4 rounded-panel border border-line bg-sunken px-12 py-8 ${isOld ? 'opacity-60' : ''}`}
    >
      {preview.data ? (
        <Said preview={preview.data} measured={requested} unit={unit} />
      ) : (
        <p role="status">{preview.error ? toProblem(preview.error).title : 'Loading…'}</p>
      )}
      <p className="text-12 text-text-3">Last 7 days in {environment.name}, all users</p>
    </section>
  )
}

type SaidProps = { preview: Preview; measured: MeasuredMetric; unit: string }

function Said({ preview, measured, unit }: SaidProps) {
  const { value, events, users, ofUsers, unfiltered, days } = preview
  const warning = warningOf(preview)
  if (warning !== undefined)
    return (
      <p role="status" className="flex items-baseline gap-6 text-warn">
        <Icon name="warning" className="size-14 shrink-0 self-center" />
        {warning}
      </p>
    )
  const format = {
    measuredIn: measuredIn[measured.aggregation],
    unit: measured.aggregation === 'count' || measured.aggregation === 'count-per-user' ? '' : unit,
  }
  return (
    <div className="flex flex-wrap items-end gap-x-16 gap-y-4" role="status">
      <p className="grid min-w-0 flex-1 gap-2">
        <span>
          <strong className="font-strong text-16">{value === null ? '–' : valueText(format, value)}</strong>{' '}
          {meaning(measured)}
        </span>
        <span className="text-12 text-text-2">
          {countOf(events, 'event')} from {fullCountText(users)} of {countOf(ofUsers, 'user')}
          {measured.filter !== undefined && `; without the filter ${countOf(unfiltered, 'event')}`}
        </span>
        {notesOf(preview, format).map((note) => (
          <span key={note} className="text-12 text-text-2">
            {note}
          </span>
        ))}
      </p>
      {days.length > 1 && (
        <Sparkline
          values={days.map((day) => day.value)}
          label={`By day: ${days.map((day) => `${day.day} ${day.value === null ? 'nothing' : valueText(format, day.value)}`).join(', ')}`}
        />
      )}
    </div>
  )
}

const measuredIn = {
  proportion: 'share',
  mean: 'value',
  quantile: 'value',
  count: 'per-session',
  sum: 'value',
  'sum-per-session': 'value',
  'count-per-user': 'value',
} as const

function meaning({ aggregation, quantile = 0.75 }: MeasuredMetric): string {
  switch (aggregation) {
    case 'proportion':
      return 'of users have it'
    case 'mean':
      return 'mean value'
    case 'quantile':
      return `p${Math.round(100 * quantile)} of its values`
    case 'count':
      return 'for each session'
    case 'sum':
      return 'total per user'
    case 'sum-per-session':
      return 'total per session'
    case 'count-per-user':
      return 'events per user'
  }
}

/** What to know of totals before a comparison starts. */
function notesOf({ cap, negative, currencies }: Preview, format: Parameters<typeof valueText>[0]): string[] {
  return [
    ...(cap !== null && cap > 0 ? [`Totals above ${valueText(format, cap)} would count as that much.`] : []),
    ...(cap !== null && negative > 0 ? [`${countOf(negative, 'event')} below zero, such as refunds.`] : []),
    ...(cap !== null && currencies.length > 1
      ? [`Several currencies are added up: ${currencies.join(', ')}. Filter by attr:currency.`]
      : []),
  ]
}

/** A metric without matching events judges nothing. */
function warningOf({ events, unfiltered }: Preview): string | undefined {
  if (unfiltered === 0) return 'No such events yet. Check the name, or send one.'
  if (events > 0) return undefined
  return `The filter matches none of ${countOf(unfiltered, 'event')}.`
}
