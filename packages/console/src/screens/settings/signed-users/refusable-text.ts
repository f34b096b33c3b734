import type { SignedUsers } from '../../../api/signed-users.ts'
import { fullCountText } from '../../../ui/text/measure-text.ts'

/** How many of the counted requests `Require` would refuse. Undefined when none was counted. */
export function refusableText(days: SignedUsers['days']): string | undefined {
  const parts = (['flags', 'telemetry'] as const).flatMap((source) => {
    const counts = days.map((day) => day[source])
    const refusable = sumOf(counts.map(({ unsigned, invalid, expired }) => unsigned + invalid + expired))
    const all = refusable + sumOf(counts.map(({ signed }) => signed))
    return all === 0
      ? []
      : [`${fullCountText(refusable)} of ${fullCountText(all)} requests ${purposes[source]}`]
  })
  return parts.length === 0 ? undefined : `${parts.join(' and ')} had no valid signature in the last 14 days.`
}

const purposes = { flags: 'for flags', telemetry: 'with telemetry' }

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
