type ShareBarProps = {
  /** From 0 to 1. */
  share: number
  lower: number
  upper: number
  label: string
  width?: number
}

const height = 16

/** A share with its interval. */
export function ShareBar({ share, lower, upper, label, width = 120 }: ShareBarProps) {
  const x = (value: number) => Math.min(1, Math.max(0, value)) * width
  const middle = height / 2
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="shrink-0 overflow-visible fill-none"
    >
      <path className="stroke-line" strokeWidth={8} d={`M0 ${middle}H${width}`} />
      <path className="stroke-control" strokeWidth={8} d={`M0 ${middle}H${Math.max(2, x(share))}`} />
      <path
        className="stroke-text"
        strokeWidth={1.5}
        d={`M${x(lower)} ${middle}H${x(upper)}M${x(lower)} ${middle - 4}v8M${x(upper)} ${middle - 4}v8`}
      />
    </svg>
  )
}
