import { zoneName } from '../ui/text/time-text.ts'
import type { TimeChartProps } from './time-chart.tsx'

export interface Pointed {
  readonly index: number
  /** From the left edge of the chart. */
  readonly left: number
}

const width = 208
const distance = 12
const linesAtMost = 12

type PlotReadoutProps = Pick<
  TimeChartProps,
  'times' | 'series' | 'format' | 'timeZone' | 'partial' | 'markers'
> & {
  pointed: Pointed
}

/** The chart's values under the pointer. The table has the same values for keyboard and screen reader users. */
export function PlotReadout(props: PlotReadoutProps) {
  const { times, series, format, timeZone, partial, markers = [], pointed } = props
  const { index, left } = pointed
  const at = times[index]
  if (at === undefined) return null
  const next = times[index + 1] ?? Number.POSITIVE_INFINITY
  const changes = markers.filter((marker) => marker.at >= at && marker.at < next)
  const clock = new Intl.DateTimeFormat('en-GB', {
    ...({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const),
    ...(timeZone ? { timeZone } : {}),
  })
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-20 left-0 z-20 grid grid-cols-[minmax(0,1fr)] gap-2 rounded-control border border-line-strong bg-surface px-8 py-6 text-12 shadow-menu"
      style={{
        width,
        translate: `${left > width + distance ? left - width - distance : left + distance}px 0`,
      }}
    >
      <b className="font-medium">
        {clock.format(at)} <span className="font-normal text-text-3">{zoneName(timeZone)}</span>
      </b>
      {series.slice(0, linesAtMost).map(({ label, color, values }) => {
        const value = values[index]
        return (
          <span key={label} className="flex items-center gap-6">
            <span className="size-8 shrink-0 rounded-chip" style={{ background: `var(--${color})` }} />
            <span className="min-w-0 flex-1 truncate text-text-2">{label}</span>
            <span>{value == null ? '–' : format(value)}</span>
          </span>
        )
      })}
      {series.length > linesAtMost && (
        <span className="text-text-3">and {series.length - linesAtMost} more in the table</span>
      )}
      {changes.map(({ label, at: changedAt }) => (
        <span key={`${changedAt} ${label}`} className="border-line border-t pt-2 text-text-2">
          {label}
        </span>
      ))}
      {partial?.has(at) && <span className="text-11 text-text-3">Incomplete interval</span>}
    </div>
  )
}
