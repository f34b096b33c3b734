import { Link } from '@tanstack/react-router'
import { unitsForVerdict } from '@telltale/core/guard/judge-metric'
import { useScope } from '../../../shell/scope-context.ts'
import { Notice } from '../../../ui/notice.tsx'
import { countOf, fullCountText } from '../../../ui/text/measure-text.ts'
import { useFlag } from '../flag-context.ts'
import type { Compared } from './use-compared.ts'

/** Shown before there are enough users for a verdict: how many there are, and what to check if there are none. */
export function WaitingNotice({ compared }: { compared: Compared }) {
  const { project, environment } = useScope()
  const { key } = useFlag()
  const { units, metrics } = compared.comparison
  const fewest = Math.min(units.treatment, units.control)
  // Rare events can be decided with fewer users: then a verdict is shown below.
  if (fewest >= unitsForVerdict || metrics.some(({ state }) => state === 'regressed' || state === 'healthy'))
    return null
  const isNobody = units.treatment + units.control === 0

  return (
    <Notice
      tone="plain"
      title={
        isNobody
          ? 'Waiting for data'
          : `Waiting for data: ${fullCountText(fewest)} of ${countOf(unitsForVerdict, 'user')}`
      }
      detail={
        isNobody ? (
          <>
            No telemetry from users in this split yet. Your pages must evaluate the flag and send telemetry.{' '}
            <Link
              to="/p/$project/flags/$flag/usage"
              params={{ project, flag: key }}
              search={{ env: environment.key }}
              className="text-accent underline"
            >
              Show evaluations
            </Link>
          </>
        ) : (
          'Most metrics need that many users in each variation. Until then, results may change considerably.'
        )
      }
    />
  )
}
