import { limits } from '@telltale/core/limits'
import { countText, durationText } from '../../ui/text/measure-text.ts'

type DurationProps = {
  /** Null: of too few requests. */
  value: number | null
  of: number
  /** Said on narrow screens, where no head of a column says it. */
  label?: string
}

/** A percentile of durations, or that there are too few to tell one. */
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
