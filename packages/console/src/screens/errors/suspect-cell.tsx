import { Link } from '@tanstack/react-router'
import type { Lift } from '../../api/issues.ts'
import { betweenText, oftenText, shortOften } from '../../features/suspects/times-words.ts'
import { FlagTelltale } from '../../features/telltale/flag-telltale.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Tooltip } from '../../ui/overlay/tooltip.tsx'
import { shareWords, variationText } from './issue-words.ts'

/** `5.2 times as often in checkout = one-page`, with the interval on hover and focus. Only shown when significant. */
export function SuspectCell({ lift }: { lift: Lift | null }) {
  const { project, environment } = useScope()
  if (lift === null) {
    return <span className="text-12 text-text-3 max-wide:hidden">no suspects</span>
  }
  return (
    <span className="flex min-w-0 items-center gap-4">
      <Tooltip
        text={
          <>
            {betweenText(lift) ?? oftenText(lift)}, 95%: {shareWords(lift)}
          </>
        }
      >
        <Link
          to="/p/$project/flags/$flag"
          params={{ project, flag: lift.flag }}
          search={{ env: environment.key }}
          className="grid min-h-24 min-w-0 content-center hover:[&_code]:underline"
        >
          <span className="truncate">{shortOften(lift)}</span>
          <span className="truncate text-12 text-text-2">
            in <code>{variationText(lift)}</code>
          </span>
        </Link>
      </Tooltip>
      <FlagTelltale flag={lift.flag} look="mark" />
    </span>
  )
}
