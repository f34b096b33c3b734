import { type TelltaleState, telltaleTones } from '@telltale/core/states/telltale'
import type { Change, ChangeScale } from './harm-scale.ts'
import { VerdictMark } from './verdict.tsx'

type ForestRowProps = {
  /** In the metric's own direction. */
  change: Change
  /** The same for all rows of a table. */
  scale: ChangeScale
  label: string
  /** Grey without a verdict. */
  state?: TelltaleState | undefined
  /** Estimates that are not reliable yet. */
  isDoubtful?: boolean
}

/** Units of the view box; the SVG scales to its container. */
const width = 240
const height = 28
const middle = height / 2
/** Room for the mark of an estimate beyond the scale, beside the arrow. */
const endRoom = 14
const tones = { ok: 'text-ok-fill', warn: 'text-warn-fill', bad: 'text-bad-fill', idle: 'text-control' }

/**
 * One estimate with its interval: solid line at no effect, dashed line at the limit, tint beyond the limit. The
 * interval is cut at the ends of the scale; an estimate beyond it is drawn at that end with an arrow.
 */
export function ForestRow({ change, scale, label, state, isDoubtful = false }: ForestRowProps) {
  const { est, lo, hi, limit } = change
  const x = xOn(scale)
  // Values beyond the scale stay visible at its end.
  const from = Math.min(x(lo), width - endRoom)
  const to = Math.max(from + 4, x(hi), endRoom)
  const at = Math.min(width - endRoom, Math.max(endRoom, x(Number.isNaN(est) ? 0 : est)))
  const isHarmRight = limit > 0
  const tone = isDoubtful ? 'idle' : state === undefined ? 'idle' : telltaleTones[state]

  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      className={`h-28 w-full min-w-0 max-w-[300px] fill-none stroke-current ${tones[tone]} ${isDoubtful ? 'opacity-60' : ''}`}
    >
      <rect
        className="fill-bad-soft stroke-transparent"
        opacity={0.7}
        x={isHarmRight ? x(limit) : 0}
        width={isHarmRight ? width - x(limit) : x(limit)}
        y={0}
        height={height}
      />
      {scale.ticks.map((tick) => (
        <path key={tick} className="stroke-line" d={`M${x(tick)} 0V${height}`} />
      ))}
      <path className="stroke-control" d={`M${x(0)} 0V${height}`} />
      <path className="stroke-bad-fill" strokeDasharray="4 3" d={`M${x(limit)} 0V${height}`} />
      <rect
        className="fill-current stroke-transparent"
        opacity={0.45}
        x={from}
        width={to - from}
        y={middle - 3.5}
        height={7}
        rx={3.5}
      />
      {Math.min(lo, est) < scale.from && <path strokeWidth={1.5} d={`M5 ${middle - 4}l-4 4l4 4`} />}
      {Math.max(hi, est) > scale.to && <path strokeWidth={1.5} d={`M${width - 5} ${middle - 4}l4 4l-4 4`} />}
      {!Number.isNaN(est) && <VerdictMark state={markOf(state)} x={at} y={middle} radius={4} />}
    </svg>
  )
}

/** Labels of the scale, above the rows. */
export function ForestHead({ scale, format }: { scale: ChangeScale; format: (change: number) => string }) {
  const x = xOn(scale)
  return (
    <span className="relative block h-14 w-full min-w-0 max-w-[300px]" aria-hidden="true">
      {[...scale.ticks, 0].map((tick) => (
        <span
          key={tick}
          className="absolute -translate-x-1/2"
          style={{ left: `${(100 * x(tick)) / width}%` }}
        >
          {format(tick)}
        </span>
      ))}
    </span>
  )
}

const xOn =
  ({ from, to }: ChangeScale) =>
  (value: number) =>
    ((Math.min(to, Math.max(from, value)) - from) / (to - from)) * width

/** Estimates without a verdict keep their true position. */
function markOf(state: TelltaleState | undefined): TelltaleState {
  return state === undefined || state === 'none' || state === 'waiting' || state === 'down'
    ? 'streaming'
    : state
}
