import { useRef } from 'react'
import type { TimeSeries } from './time-chart.tsx'
import { useWidth } from './use-width.ts'

export interface Bin {
  readonly from: number
  /** Null: the last, open-ended bin. */
  readonly to: number | null
  readonly count: number
}

interface DistributionSeries {
  readonly label: string
  readonly color: TimeSeries['color']
  /** The same bins in every series. */
  readonly bins: readonly Bin[]
}

type DistributionProps = {
  /** A sentence that describes the chart. */
  label: string
  /** One series is drawn as bars; several as overlaid lines, each normalised to its own total. */
  series: readonly DistributionSeries[]
  /** Good up to the first, poor beyond the second. */
  boundaries: readonly [good: number, poor: number]
  format: (value: number) => string
  /** Marked with its name. */
  p75?: number | null | undefined
}

const plotHeight = 96
const axisHeight = 22
const nameHeight = 16

/** Histogram of a vital, with its thresholds. */
export function Distribution({ label, series, boundaries, format, p75 }: DistributionProps) {
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  return (
    <div
      ref={host}
      className="relative overflow-x-clip"
      style={{ height: nameHeight + plotHeight + axisHeight }}
    >
      {width > 0 && (
        // Its width follows its container and never stretches it.
        <svg
          role="img"
          aria-label={label}
          width={width}
          height="100%"
          className="absolute inset-0 overflow-visible"
        >
          <Drawn series={series} boundaries={boundaries} format={format} p75={p75} width={width} />
        </svg>
      )}
    </div>
  )
}

type DrawnProps = Omit<DistributionProps, 'label'> & { width: number }

function Drawn({ series, boundaries, format, p75, width }: DrawnProps) {
  const bins = series[0]?.bins ?? []
  const end = bins.at(-1)?.from ?? 1
  const step = width / Math.max(bins.length, 1)
  // The last, open-ended bin is as wide as the others.
  const xOf = (value: number) => Math.min((value / end) * (width - step), width - step / 2)
  const [good, poor] = boundaries.map(xOf)
  if (good === undefined || poor === undefined) return null
  const shares = series.map((one) => sharesOf(one.bins))
  const top = Math.max(...shares.flat(), 0) || 1
  const levels = shares.map((line) => line.map((share) => plotHeight - (share / top) * (plotHeight - 4)))

  return (
    <g transform={`translate(0 ${nameHeight})`}>
      <rect className="fill-warn-soft" x={good} width={poor - good} height={plotHeight} />
      <rect className="fill-bad-soft" x={poor} width={width - poor} height={plotHeight} />
      {series.map(({ label, color }, index) =>
        series.length === 1 ? (
          <path key={label} className="fill-text-3" d={barsOf(levels[index] ?? [], step)} />
        ) : (
          <path
            key={label}
            className="fill-none"
            style={{ stroke: `var(--${color})` }}
            strokeWidth={2}
            d={stepLineOf(levels[index] ?? [], step)}
          />
        ),
      )}
      <path className="stroke-warn-fill" strokeDasharray="3 3" d={`M${good} 0V${plotHeight}`} />
      <path className="stroke-bad-fill" strokeDasharray="3 3" d={`M${poor} 0V${plotHeight}`} />
      <path className="stroke-line-strong" d={`M0 ${plotHeight}H${width}`} />
      {p75 != null && <P75 x={xOf(p75)} text={`p75 ${format(p75)}`} width={width} />}
      <g className="fill-text-3 text-11" transform={`translate(0 ${plotHeight + 15})`}>
        <text>{format(0)}</text>
        <text x={good} textAnchor="middle">
          {format(boundaries[0])}
        </text>
        <text x={poor} textAnchor="middle">
          {format(boundaries[1])}
        </text>
        <text x={width} textAnchor="end">
          above {format(end)}
        </text>
      </g>
    </g>
  )
}

function P75({ x, text, width }: { x: number; text: string; width: number }) {
  const isRight = x > width - 80
  return (
    <>
      <path className="stroke-text" d={`M${x} -3V${plotHeight}`} />
      <text
        className="fill-text text-11"
        x={isRight ? x - 4 : x + 4}
        y={-5}
        textAnchor={isRight ? 'end' : 'start'}
      >
        {text}
      </text>
    </>
  )
}

export function sharesOf(bins: readonly Bin[]): number[] {
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  return bins.map(({ count }) => (total === 0 ? 0 : count / total))
}

function barsOf(levels: readonly number[], step: number): string {
  return levels
    .map((y, index) =>
      y >= plotHeight
        ? ''
        : `M${(index * step + 0.5).toFixed(1)} ${plotHeight}V${y.toFixed(1)}h${Math.max(step - 1, 0.5).toFixed(1)}V${plotHeight}Z`,
    )
    .join('')
}

function stepLineOf(levels: readonly number[], step: number): string {
  const [first = plotHeight] = levels
  return levels.reduce(
    (path, y, index) => `${path}V${y.toFixed(1)}H${((index + 1) * step).toFixed(1)}`,
    `M0 ${first.toFixed(1)}`,
  )
}
