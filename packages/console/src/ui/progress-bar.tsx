type ProgressBarProps = {
  /** The counted unit. */
  label: string
  done: number
  of: number
  /** The same in words. */
  text: string
}

/** The progress of a longer operation. */
export function ProgressBar({ label, done, of, text }: ProgressBarProps) {
  const total = Math.max(of, 1)
  return (
    <div className="grid gap-6">
      <p className="text-text-2">{text}</p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="h-4 overflow-hidden rounded-chip bg-hover"
      >
        <div className="h-full bg-accent" style={{ width: `${Math.max(2, (done / total) * 100)}%` }} />
      </div>
    </div>
  )
}
