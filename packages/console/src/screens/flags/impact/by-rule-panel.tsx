import { useQuery } from '@tanstack/react-query'
import { flagConfigQuery, type SavedConfig } from '../../../api/flag-configs.ts'
import { Panel } from '../../../ui/panel.tsx'
import { useConfigRef } from '../flag-context.ts'
import { VariationName } from './variation-name.tsx'

/** Variations that users get by a rule instead of at random. Differences may be caused by the selection itself. */
export function ByRulePanel() {
  const config = useQuery(flagConfigQuery(useConfigRef()))
  const chosen = config.data ? chosenByRule(config.data) : []
  if (chosen.length === 0) return null
  return (
    <Panel title="Not comparable" note="assigned by rule, not at random">
      <ul className="grid gap-8">
        {chosen.map(({ id, variation, who }) => (
          <li key={id} className="flex min-w-0 items-baseline justify-between gap-12">
            <VariationName variation={variation} />
            <span className="min-w-0 truncate text-12 text-text-3" title={who}>
              {who}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function chosenByRule({ enabled, rules, fallthrough }: SavedConfig) {
  if (!enabled) return []
  const ruled = rules.flatMap(({ id, description, serve }, index) =>
    'variation' in serve
      ? [{ id, variation: serve.variation, who: `rule ${index + 1}${description ? `, ${description}` : ''}` }]
      : [],
  )
  // Without a split, there is no control group.
  const rest =
    'variation' in fallthrough && rules.length > 0
      ? [{ id: 'fallthrough', variation: fallthrough.variation, who: 'everyone else' }]
      : []
  return [...ruled, ...rest]
}
