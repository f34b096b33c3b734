import { limits } from '@telltale/core/limits'
import { countText, durationText } from '../../ui/text/measure-text.ts'

type DurationProps = {
  /** Null: too few requests. */
  value: number | null
  of: number
  /** On narrow screens, where no column header names it. */
  label?: string
}

/** A percentile of durations, or that there are too few requests for one. */
export function Duration({ value, of, label }: DurationProps) {
  if (value !== null) {
    return (
      <>
        {durationText(value)}
        {label && <span className="text-12 text-text-3 wide:sr-only"> {label}</span>}
      </>
    )
  }
  return (
    <span
      className="whitespace-nowrap text-text-3"
      title={`A percentile needs ${limits.percentileMinimum} requests`}
    >
      too few<span className="sr-only"> ({countText(of)})</span>
    </span>
  )
}
