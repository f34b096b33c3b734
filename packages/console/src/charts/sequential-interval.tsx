import { useId, useRef } from 'react'
import type { Change } from './harm-scale.ts'
import { type TimeFrame, xOf } from './time-frame.ts'
import { timeTicks } from './time-ticks.ts'
import { useWidth } from './use-width.ts'

interface IntervalPoint {
  readonly at: number
  /** In the metric's own direction; undefined while there is no estimate. */
  readonly change: { readonly est: number; readonly lo: number; readonly hi: number } | undefined
}

export interface StageBorder {
  readonly at: number
  readonly label: string
}

type SequentialIntervalProps = {
  points: readonly IntervalPoint[]
  /** Negative where a decrease is harm. */
  limit: number
  stages?: readonly StageBorder[]
  format: (change: number) => string
  /** The chart as one sentence. */
  label: string
  timeZone?: string | undefined
  /** Index of the variation in its flag. */
  order: number
}

const height = 232
const top = 24
const bottom = 26
const left = 52
const right = 66
/** Room for the words of an interval without an upper bound, and for `>+10,000%`. */
const rightOfWords = 100
const shortLabel = 7
const noEnd = 'no upper bound'
/** If the next stage starts sooner, the two labels would overlap. */
const stageLabelRoom = 36
const strokes = ['stroke-v0', 'stroke-v1', 'stroke-v2', 'stroke-v3', 'stroke-v4', 'stroke-v5']
const fills = ['fill-v0', 'fill-v1', 'fill-v2', 'fill-v3', 'fill-v4', 'fill-v5']

/** How an estimate and its interval developed: zero solid, limit dashed, tint beyond the limit, stages on top. */
export function SequentialInterval(props: SequentialIntervalProps) {
  const { points, limit, label } = props
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  return (
    <div ref={host} className="min-w-0 overflow-hidden">
      {width > left + rightOfWords && (
        <svg role="img" aria-label={label} width={width} height={height} className="block fill-none">
          <Plot {...props} points={points} limit={limit} width={width} />
        </svg>
      )}
    </div>
  )
}

function Plot(props: SequentialIntervalProps & { width: number }) {
  const { points, limit, stages = [], format, width, timeZone, order } = props
  const clip = useId()
  const known = points.flatMap(({ at, change }) => (change === undefined ? [] : [{ at, ...change }]))
  const scale = scaleOf(known, limit)
  const last = known.at(-1)
  const isWide =
    last !== undefined &&
    (!Number.isFinite(last.hi) || [last.est, last.hi].some((end) => format(end).length > shortLabel))
  const inner = { width: width - left - (isWide ? rightOfWords : right), height: height - top - bottom }
  const frame: TimeFrame = {
    from: points[0]?.at ?? 0,
    to: points.at(-1)?.at ?? 1,
    times: points.map(({ at }) => at),
    width: inner.width,
  }
  const x = (at: number) => left + xOf(frame, at)
  // The first stage starts before its first point.
  const border = (at: number) => Math.max(left, x(at))
  const isCovered = (index: number) => {
    const [stage, next] = stages.slice(index)
    return stage !== undefined && next !== undefined && border(next.at) - border(stage.at) < stageLabelRoom
  }
  const y = (value: number) =>
    top +
    ((scale.to - Math.min(2 * scale.to, Math.max(2 * scale.from, value))) / (scale.to - scale.from)) *
      inner.height
  const hue = order % strokes.length
  const edge = (of: 'lo' | 'hi' | 'est', drawn: readonly (typeof known)[number][] = known) =>
    drawn.map((point) => `${x(point.at).toFixed(1)} ${y(point[of]).toFixed(1)}`)
  const [lower, upper] = [edge('lo'), edge('hi')]
  // Of something to nothing there is an end, and no estimate.
  const middle = edge(
    'est',
    known.filter(({ est }) => Number.isFinite(est)),
  )
  const harm =
    limit > 0 ? { y: top, height: y(limit) - top } : { y: y(limit), height: top + inner.height - y(limit) }

  return (
    <>
      <clipPath id={clip}>
        <rect x={left} y={top} width={inner.width} height={inner.height} />
      </clipPath>
      <rect className="fill-bad-soft" x={left} width={inner.width} {...harm} />
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <path
            className={tick === 0 ? 'stroke-control' : 'stroke-line'}
            d={`M${left} ${y(tick)}H${left + inner.width}`}
          />
          <text className="fill-text-3 text-11" x={left - 8} y={y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {stages.map(({ at, label }, index) => (
        <g key={`${at} ${label}`}>
          <path
            className="stroke-text-3"
            strokeDasharray="2 3"
            d={`M${border(at)} 6V${top + inner.height}`}
          />
          {!isCovered(index) && (
            <text className="fill-text-2 text-11" x={border(at) + 4} y={14}>
              {label}
            </text>
          )}
        </g>
      ))}
      <g clipPath={`url(#${clip})`}>
        {known.length > 0 && (
          <path
            className={fills[hue]}
            opacity={0.16}
            d={`M${upper.join('L')}L${lower.toReversed().join('L')}Z`}
          />
        )}
        {known.length > 1 && (
          <>
            <path className={strokes[hue]} opacity={0.6} d={`M${upper.join('L')}`} />
            <path className={strokes[hue]} opacity={0.6} d={`M${lower.join('L')}`} />
            {middle.length > 1 && (
              <path className={strokes[hue]} strokeWidth={2} d={`M${middle.join('L')}`} />
            )}
          </>
        )}
      </g>
      <path
        className="stroke-bad-fill"
        strokeDasharray="4 3"
        d={`M${left} ${y(limit)}H${left + inner.width}`}
      />
      <text className="fill-bad text-11 font-medium" x={left + 8} y={y(limit) + (limit > 0 ? -6 : 14)}>
        limit {format(limit)}
      </text>
      {timeTicks(frame, timeZone).map((tick) => (
        <text
          key={tick.x}
          className="fill-text-3 text-11"
          x={left + tick.x}
          y={height - 8}
          textAnchor="middle"
        >
          {tick.text}
        </text>
      ))}
      {last && (
        <Now
          {...last}
          x={left + inner.width + 8}
          y={y}
          hue={hue}
          format={format}
          ends={[top, top + inner.height]}
        />
      )}
    </>
  )
}

type NowProps = Omit<Change, 'limit'> & {
  x: number
  y: (value: number) => number
  hue: number
  format: (change: number) => string
  /** Of the frame. */
  ends: readonly [top: number, bottom: number]
}

const lineHeight = 13

/** The current interval as a bar with its three values, placed without overlap. */
function Now({ est, lo, hi, x, y, hue, format, ends: [upper, lower] }: NowProps) {
  const inside = (value: number) => Math.min(lower, Math.max(upper, value))
  const hasEstimate = Number.isFinite(est)
  const at = inside(y(est))
  const high = Math.min(inside(y(hi)), at - lineHeight)
  const low = Math.max(inside(y(lo)), at + lineHeight)
  const row = (value: number, place: number, isMain = false) => (
    <text className={`text-11 ${isMain ? 'fill-text font-strong' : 'fill-text-2'}`} x={x + 8} y={place + 4}>
      {Number.isFinite(value) ? format(value) : noEnd}
    </text>
  )
  return (
    <>
      <path className={strokes[hue]} strokeWidth={2.5} d={`M${x} ${inside(y(hi))}V${inside(y(lo))}`} />
      {hasEstimate && <circle className={`${fills[hue]} stroke-surface`} cx={x} cy={at} r={4} />}
      {row(hi, high)}
      {hasEstimate && row(est, at, true)}
      {row(lo, low)}
    </>
  )
}

const linesAtMost = 7

/** Covers zero, the limit and the current interval. Wider early intervals are cut, and the frame stays open there. */
function scaleOf(known: readonly { est: number; lo: number; hi: number }[], limit: number) {
  const last = known.at(-1) ?? { est: 0, lo: 0, hi: 0 }
  const now = [last.est, last.lo, last.hi].find(Number.isFinite) ?? 0
  const reach = 2.5 * Math.max(Math.abs(now), Math.abs(limit))
  const late = known.slice(Math.floor(known.length / 4))
  const ends = late.flatMap(({ lo, hi, est }) => [lo, hi, est]).filter((end) => Math.abs(end) <= reach)
  const [low, high] = [Math.min(0, limit, now, ...ends), Math.max(0, limit, now, ...ends)]
  const margin = (high - low) * 0.12
  const [from, to] = [Math.max(-1.1, low - margin), high + margin]
  const rough = (to - from) / linesAtMost
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * size).find((one) => one >= rough) ?? rough
  const ticks: number[] = []
  for (let count = Math.ceil(from / step); count * step <= to; count += 1)
    ticks.push(Number((count * step).toPrecision(6)))
  return { from, to, ticks }
}
