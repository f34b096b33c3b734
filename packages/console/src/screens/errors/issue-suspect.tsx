import type { Lift } from '../../api/issues.ts'
import { RatioInterval } from '../../charts/ratio-interval.tsx'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { betweenText, oftenText, scaleOf } from '../../features/suspects/times-words.ts'
import { shareWords } from './issue-words.ts'

/** The top suspect of an issue, as on the issue's page. Does not claim a cause. */
export function IssueSuspect({ lift }: { lift: Lift | null }) {
  if (lift === null) {
    return <p className="text-pretty text-text-2">No suspects.</p>
  }
  const { flag, variation, and } = lift
  const between = betweenText(lift)
  return (
    <div className="grid min-w-0 gap-2">
      <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-12">
        <span className="font-medium">{oftenText(lift)}</span>
        <RatioInterval
          {...lift}
          scale={scaleOf([lift])}
          label={[oftenText(lift), between].filter(Boolean).join(', ')}
        />
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {[{ flag, variation }, ...(and ? [and] : [])].map((read, index) => (
          <span key={read.flag}>
            {index > 0 && ' and '}
            <FlagLink flag={read.flag} /> <code>= {read.variation}</code>
          </span>
        ))}
        {and && ', only in combination'}
      </span>
      <span className="text-12 text-text-2">
        {between && `${between}: `}
        {shareWords(lift)}
      </span>
      <p className="mt-8 text-pretty text-12 text-text-3">
        Simultaneous 95% intervals for all flags and issues. Correlation, not cause.
      </p>
    </div>
  )
}
