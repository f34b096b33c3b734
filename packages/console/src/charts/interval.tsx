type IntervalProps = {
  /** Changes in the metric's own direction. */
  est: number
  lo: number
  hi: number
  limit: number
  /** One scale for all rows of a table. */
  scale: { from: number; to: number }
  label: string
  tone?: 'ok' | 'warn' | 'bad' | 'idle'
  width?: number
}

const height = 20
const fills = { ok: 'text-ok-fill', warn: 'text-warn-fill', bad: 'text-bad-fill', idle: 'text-control' }

/** One estimate with its interval: zero solid, the limit dashed, what lies past it tinted, cut where the scale ends. */
export function Interval({ est, lo, hi, limit, scale, label, tone = 'idle', width = 160 }: IntervalProps) {
  const x = (value: number) =>
    ((Math.min(scale.to, Math.max(scale.from, value)) - scale.from) / (scale.to - scale.from)) * width
  const isHarmRight = limit > 0
  const from = x(lo)
  const to = Math.max(from + 2, x(hi))

  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`shrink-0 overflow-visible fill-none stroke-current ${fills[tone]}`}
    >
      <rect
        className="fill-zone stroke-transparent"
        x={isHarmRight ? x(limit) : 0}
        width={isHarmRight ? width - x(limit) : x(limit)}
        y={1}
        height={height - 2}
      />
      <path className="stroke-line-strong" d={`M0 ${height / 2}H${width}`} />
      <path className="stroke-text-2" strokeWidth={1.5} d={`M${x(0)} 1V${height - 1}`} />
      <path className="stroke-text-3" strokeDasharray="2 2" d={`M${x(limit)} 1V${height - 1}`} />
      <path strokeWidth={5} opacity={0.55} d={`M${from} ${height / 2}H${to}`} />
      {lo < scale.from && <path strokeWidth={1.5} d={`M4 ${height / 2 - 4}l-4 4l4 4`} />}
      {hi > scale.to && <path strokeWidth={1.5} d={`M${width - 4} ${height / 2 - 4}l4 4l-4 4`} />}
      {est >= scale.from && est <= scale.to && (
        <circle className="fill-current stroke-surface" cx={x(est)} cy={height / 2} r={3.5} />
      )}
    </svg>
  )
}
