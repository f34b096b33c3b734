import { useScope, useSetScope } from '../../../shell/scope-context.ts'
import { Segmented, Switch } from '../../../ui/form/choice.tsx'
import { Variation } from '../../../ui/variation.tsx'
import { summaryIn } from '../environment-states.ts'
import { useFlag } from '../flag-context.ts'
import { servesText } from '../flag-words.ts'
import type { Draft } from './draft.ts'
import type { ChangeDraft } from './draft-panel.ts'
import type { DraftFault } from './faults.ts'
import { useTargeting } from './targeting-context.ts'
import { VariationSelect } from './variation-select.tsx'

/** More do not fit beside the switch; the menu above has them all. */
const shownAtMost = 4

/** The default in each environment, one click away. */
function EnvironmentSwitch() {
  const flag = useFlag()
  const { environment, environments } = useScope()
  const setScope = useSetScope()
  if (environments.length < 2 || environments.length > shownAtMost) return null

  return (
    <span className="ml-auto min-w-0 max-full:hidden">
      <Segmented
        label="Environment"
        value={environment.key}
        onValue={(env) => setScope({ env })}
        choices={environments.map((one) => {
          const summary = summaryIn(flag, one.key)
          return {
            value: one.key,
            label: (
              <>
                <span className="max-w-[14ch] truncate">{one.name}</span>
                <span className="max-w-[14ch] truncate font-regular text-text-3">
                  {summary?.enabled ? servesText(summary.serves, flag.variations) : 'off'}
                </span>
              </>
            ),
          }
        })}
      />
    </span>
  )
}

type SwitchPanelProps = { draft: Draft; faults: readonly DraftFault[]; onChange: ChangeDraft }

/** The switch, and what all users get while the flag is off. */
export function SwitchPanel({ draft, faults, onChange }: SwitchPanelProps) {
  const { envName, variations, readOnly } = useTargeting()
  const { enabled, offVariation } = draft
  const order = variations.findIndex(({ key }) => key === offVariation)

  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-8 rounded-panel border border-line bg-surface px-14 py-10">
      <Switch
        label={
          <span className="font-medium">
            {enabled ? 'On' : 'Off'} in {envName}
          </span>
        }
        checked={enabled}
        onChecked={(checked) => onChange((now) => ({ ...now, enabled: checked }))}
        disabled={readOnly !== undefined}
      />
      <span className="text-text-2">{enabled ? 'when off, everyone gets' : 'everyone gets'}</span>
      {readOnly === undefined ? (
        <VariationSelect
          label="Variation when off"
          value={offVariation}
          isShort
          onValue={(variation) => onChange((now) => ({ ...now, offVariation: variation }))}
          fault={faults.find(({ pointer }) => pointer === '/offVariation')?.message}
        />
      ) : (
        <Variation order={order} label={offVariation} isKey />
      )}
      <EnvironmentSwitch />
    </div>
  )
}
