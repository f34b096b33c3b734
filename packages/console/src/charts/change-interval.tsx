type ChangeIntervalProps = {
  change: number
  lower: number
  upper: number
  /** The same distance on both sides of zero for all rows of a table. */
  reach: number
  label: string
  tone: 'less' | 'more' | 'same'
}

const changeIntervalWidth = 200
const height = 22
const edge = 36
const fills = { less: 'fill-diff-less-2', more: 'fill-diff-more-2', same: 'fill-control' }

const x = (value: number, reach: number) =>
  changeIntervalWidth / 2 + (value / reach) * (changeIntervalWidth / 2 - edge)

/** A change with its interval, around zero. Parts beyond the scale are cut at the edge, with an arrow. */
export function ChangeInterval({ change, lower, upper, reach, label, tone }: ChangeIntervalProps) {
  const at = (value: number) => Math.min(changeIntervalWidth - 2, Math.max(2, x(value, reach)))
  const [from, to] = [at(lower), at(upper)]
  return (
    <svg
      role="img"
      aria-label={label}
      width={changeIntervalWidth}
      height={height}
      viewBox={`0 0 ${changeIntervalWidth} ${height}`}
      className="shrink-0 fill-none"
    >
      <path className="stroke-line" d={`M${x(-reach, reach)} 0V${height}M${x(reach, reach)} 0V${height}`} />
      <path className="stroke-text-2" d={`M${x(0, reach)} 0V${height}`} />
      <rect
        className={fills[tone]}
        x={from}
        y={8}
        width={Math.max(2, to - from)}
        height={6}
        rx={3}
        opacity={0.55}
      />
      <circle className={fills[tone]} cx={at(change)} cy={11} r={3.5} />
    </svg>
  )
}

/** The ends and the middle of the scale, above a column of intervals. */
export function ChangeScale({ reach, format }: { reach: number; format: (value: number) => string }) {
  return (
    <svg
      aria-hidden="true"
      width={changeIntervalWidth}
      height={14}
      viewBox={`0 0 ${changeIntervalWidth} 14`}
      className="fill-text-3 text-11"
    >
      {[-reach, 0, reach].map((value) => (
        <text key={value} x={x(value, reach)} y={11} textAnchor="middle">
          {format(value)}
        </text>
      ))}
    </svg>
  )
}
