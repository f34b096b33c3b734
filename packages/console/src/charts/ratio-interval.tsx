type RatioIntervalProps = {
  ratio: number
  lower: number
  /** Null without an upper bound. */
  upper: number | null
  /** One scale for all rows of a list; contains 1. */
  scale: { from: number; to: number }
  label: string
  width?: number
}

const height = 20

/** A ratio with its interval on a log scale: twice and half are equally far from 1. */
export function RatioInterval({ ratio, lower, scale, label, width = 108, ...times }: RatioIntervalProps) {
  const upper = times.upper ?? Number.MAX_VALUE
  const [from, to] = [Math.log(scale.from), Math.log(scale.to)]
  const x = (value: number) => {
    const at = Math.min(to, Math.max(from, Math.log(Math.max(value, Number.MIN_VALUE))))
    return ((at - from) / (to - from)) * width
  }
  const middle = height / 2

  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="shrink-0 overflow-visible fill-none stroke-current text-control"
    >
      <path className="stroke-line-strong" d={`M0 ${middle}H${width}`} />
      <path className="stroke-text-2" strokeWidth={1.5} d={`M${x(1)} 1V${height - 1}`} />
      <path strokeWidth={5} opacity={0.55} d={`M${x(lower)} ${middle}H${Math.max(x(lower) + 2, x(upper))}`} />
      {lower < scale.from && <path strokeWidth={1.5} d={`M4 ${middle - 4}l-4 4l4 4`} />}
      {upper > scale.to && <path strokeWidth={1.5} d={`M${width - 4} ${middle - 4}l4 4l-4 4`} />}
      {ratio <= scale.to && ratio >= scale.from && (
        <circle className="fill-text-2 stroke-surface" cx={x(ratio)} cy={middle} r={3.5} />
      )}
    </svg>
  )
}
