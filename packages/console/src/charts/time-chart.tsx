import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { TimeTable } from './time-table.tsx'
import { useHeight } from './use-width.ts'

const TimePlot = lazy(() => import('./time-plot.tsx').then(({ TimePlot }) => ({ default: TimePlot })))

export interface TimeSeries {
  readonly label: string
  /** A token: `v0` is always control. */
  readonly color:
    | 'v0'
    | 'v1'
    | 'v2'
    | 'v3'
    | 'v4'
    | 'v5'
    | 'text-3'
    | 'line-strong'
    | 'accent'
    | 'bad-fill'
    | 'ok-fill'
  /** One per instant; missing values are gaps, never interpolated. */
  readonly values: readonly (number | null)[]
  readonly kind?: 'line' | 'bars'
}

/** A flag change, as a numbered pennant above and a dashed line through the chart. */
export interface FlagMarker {
  readonly at: number
  readonly label: string
  /** The flag key, beside the pennant if it fits. */
  readonly name?: string
  readonly isRollback?: boolean
}

export interface TimeChartProps {
  /** A sentence that describes the chart. */
  label: string
  /** Instants in milliseconds, ascending. */
  times: readonly number[]
  series: readonly TimeSeries[]
  /** Formats every value of the axis: `2.5 s`. */
  format: (value: number) => string
  markers?: readonly FlagMarker[]
  /** A named threshold: needs improvement, or a limit. */
  boundary?: { value: number; label: string }
  height?: number
  /** `height` is that of a chart with one line of legend: a longer legend leaves less for the chart. */
  isBounded?: boolean
  timeZone?: string | undefined
  /** The user dragged over a period. */
  onSpan?: (from: number, to: number) => void
  /** Charts with the same name share one crosshair. */
  group?: string
  /** Each series is stacked on those before it. */
  isStacked?: boolean
  /** The range of the axis, when it is longer than the instants. */
  span?: { readonly from: number; readonly to: number }
  /** Instants of incomplete steps, drawn paler. */
  partial?: ReadonlySet<number>
}

const defaultHeight = 160
/** Of one line of the legend with its button, in pixels. */
const lineHeight = 24
/** Below this a chart cannot be read. */
const lowest = 96

/** The frame around every time chart. Its table has the same values without the chart. */
export function TimeChart(props: TimeChartProps): ReactNode {
  const [isTable, setTable] = useState(false)
  const head = useRef<HTMLDivElement>(null)
  const above = useHeight(head)
  const whole = props.height ?? defaultHeight
  const height = props.isBounded
    ? Math.max(whole - Math.max(0, above - lineHeight), Math.min(whole, lowest))
    : whole
  return (
    <figure className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <div ref={head} className="flex min-w-0 items-start justify-between gap-8">
        <Legend series={props.series} />
        <IconButton
          icon={isTable ? 'page' : 'columns'}
          label={isTable ? 'Show as chart' : 'Show as table'}
          small
          onClick={() => setTable(!isTable)}
        />
      </div>
      {isTable ? (
        <TimeTable
          label={props.label}
          times={props.times}
          columns={props.series.map(({ label, values }) => ({ label, values, format: props.format }))}
          timeZone={props.timeZone}
          maxHeight={Math.max(height, 240)}
        />
      ) : (
        <Suspense fallback={<div className="animate-appear rounded-chip bg-hover" style={{ height }} />}>
          <TimePlot {...props} height={height} />
        </Suspense>
      )}
      <figcaption className="sr-only">{props.label}</figcaption>
    </figure>
  )
}

function Legend({ series }: { series: readonly TimeSeries[] }) {
  if (series.length < 2) return <span />
  return (
    <ul className="flex min-w-0 flex-wrap gap-x-12 gap-y-2 pt-2 text-12 text-text-2">
      {series.map(({ label, color }) => (
        <li key={label} className="inline-flex min-w-0 max-w-full items-center gap-6">
          <span className="size-8 shrink-0 rounded-chip" style={{ background: `var(--${color})` }} />
          <span className="min-w-0 truncate" title={label}>
            {label}
          </span>
        </li>
      ))}
    </ul>
  )
}
