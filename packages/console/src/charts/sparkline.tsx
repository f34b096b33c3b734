type SparklineProps = {
  /** Missing values are gaps. */
  values: readonly (number | null)[]
  /** A sentence: `Errors per hour, 0 to 12, rising`. */
  label: string
  width?: number
  height?: number
  /** Flag changes, from 0 at the start to 1 at the end. */
  markers?: readonly number[]
}

/** A line without axes, from zero to the largest value. The last, incomplete value is a dot. */
export function Sparkline({ values, label, width = 96, height = 20, markers = [] }: SparklineProps) {
  const path = sparklinePath(values, width, height)
  const last = values.at(-1)
  const top = Math.max(...values.map((value) => value ?? 0), 0) || 1
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="shrink-0 overflow-visible fill-none stroke-text-3"
    >
      {markers.length > 0 && (
        <path
          className="stroke-text-3"
          strokeDasharray="1.5 2.5"
          d={markers.map((at) => `M${(at * width).toFixed(1)} -2V${height + 2}`).join('')}
        />
      )}
      <path d={path} strokeWidth={1.5} strokeLinejoin="round" />
      {last != null && (
        <circle
          className="fill-text-2 stroke-transparent"
          cx={width}
          cy={height - 1 - (last / top) * (height - 2)}
          r={2}
        />
      )}
    </svg>
  )
}

export function sparklinePath(values: readonly (number | null)[], width: number, height: number): string {
  const top = Math.max(...values.map((value) => value ?? 0), 0) || 1
  const step = values.length > 1 ? width / (values.length - 1) : 0
  let path = ''
  let isDown = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isDown = false
      continue
    }
    const x = (index * step).toFixed(1)
    const y = (height - 1 - (value / top) * (height - 2)).toFixed(1)
    path += `${isDown ? 'L' : 'M'}${x} ${y}`
    isDown = true
  }
  return path
}
