import type { Lift } from '../../api/issues.ts'
import { RatioInterval } from '../../charts/ratio-interval.tsx'
import { FlagLink } from '../../shell/flag-link.tsx'
import { betweenText, oftenText, shareWords, standsOut, variationText } from './issue-words.ts'

/** Beyond these a picture shows no more. */
const widest = 50

/** Flag variations under which sessions meet the issue more often, without a doubt. Claims no cause. */
export function LiftList({ lifts }: { lifts: readonly Lift[] }) {
  const told = lifts.filter(standsOut)
  const open = lifts.filter(({ lower, upper }) => lower <= 1 && upper >= 1).length
  const reach = Math.min(widest, Math.max(2, ...told.map(({ upper }) => upper)))
  const scale = { from: 0.5, to: reach }

  if (told.length === 0) {
    return (
      <p className="text-pretty text-text-2">
        No flag stands out.
        {open > 0 && ' Sessions of every variation meet it about as often, as far as can be told.'}
      </p>
    )
  }
  return (
    <div className="grid gap-12">
      <ul className="grid gap-12">
        {told.map((lift) => (
          <li key={variationText(lift)} className="grid min-w-0 gap-2">
            <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-12">
              <span className="font-medium">{oftenText(lift)}</span>
              <RatioInterval {...lift} scale={scale} label={`${oftenText(lift)}, ${betweenText(lift)}`} />
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              in <FlagLink flag={lift.flag} /> <code>= {lift.variation}</code>
            </span>
            <span className="text-12 text-text-2">
              {betweenText(lift)}: {shareWords(lift)}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-pretty text-12 text-text-3">
        All intervals together hold with 95%. They say what happens together, not why.
        {open > 0 && ` Of ${open} other variations nothing can be told.`}
      </p>
    </div>
  )
}
