import type { Attribution } from '../../api/attributions.ts'
import { Panel } from '../../ui/panel.tsx'
import { AttributionItem } from './attribution-item.tsx'

type AttributionsPanelProps = { attributions: readonly Attribution[]; issue: string }

/** The share of an issue that is owed to flag variations. */
export function AttributionsPanel({ attributions, issue }: AttributionsPanelProps) {
  return (
    <Panel title="Caused by flags" note="percentage splits, last 90 days">
      {attributions.length === 0 ? (
        <p className="text-pretty text-text-2">No share of these failures can be attributed to a flag.</p>
      ) : (
        <div className="grid gap-12">
          <ul className="grid gap-16">
            {attributions.map((one) => (
              <AttributionItem
                key={`${one.split} ${one.epochs.first} ${one.variation}`}
                attribution={one}
                issue={issue}
              />
            ))}
          </ul>
          <p className="text-pretty text-12 text-text-3">
            Of affected users with the variation, at least this share would not have failed without it. Bounds
            hold together with 95%.
          </p>
        </div>
      )}
    </Panel>
  )
}
