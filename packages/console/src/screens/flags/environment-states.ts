import type { DescribedFlag, FlagSummary } from '../../api/flags.ts'
import type { EnvironmentLetter } from '../../ui/environment-letters.tsx'

export function summaryIn({ environments }: DescribedFlag, env: string): FlagSummary | undefined {
  return environments.find((one) => one.env === env)
}

/** On for all users, on for some (rules, or a split), or off, in the order of the project's environments. */
export function lettersOf(
  flag: DescribedFlag,
  environments: readonly { key: string; name: string }[],
): EnvironmentLetter[] {
  return environments.map(({ key, name }) => ({ key, name, state: stateOf(summaryIn(flag, key)) }))
}

function stateOf(summary: FlagSummary | undefined): EnvironmentLetter['state'] {
  if (!summary?.enabled) return 'off'
  const served = summary.serves.filter(({ weight }) => weight > 0).length
  return summary.rules > 0 || served > 1 ? 'some' : 'on'
}
