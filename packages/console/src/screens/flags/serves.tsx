import type { DescribedFlag } from '../../api/flags.ts'
import { RolloutBar } from '../../ui/rollout-bar.tsx'
import { summaryIn } from './environment-states.ts'
import { servesText } from './flag-words.ts'

/** What users without a matching rule get in an environment, as text and as a bar. */
export function Serves({ flag, env }: { flag: DescribedFlag; env: string }) {
  const summary = summaryIn(flag, env)
  if (!summary) return <span className="text-text-3">not here</span>
  const { enabled, rules, serves } = summary
  const text = servesText(serves, flag.variations)
  const ruled = rules === 0 ? '' : rules === 1 ? ', 1 rule' : `, ${rules} rules`
  const shares = serves.map(({ variation, weight }) => ({
    order: Math.max(
      0,
      flag.variations.findIndex(({ key }) => key === variation),
    ),
    label: variation,
    weight,
  }))
  const words = enabled ? `${text}${ruled}` : offText(serves[0]?.variation)
  return (
    <span className="block min-w-0 max-w-menu" title={words}>
      <RolloutBar text={words} shares={enabled ? shares : []} />
    </span>
  )
}

/** A variation with the same name adds nothing. */
function offText(variation = 'nothing'): string {
  return variation === 'off' ? 'Off' : `Off: serves ${variation}`
}
