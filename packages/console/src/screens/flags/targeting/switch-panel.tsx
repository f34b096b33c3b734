import { Switch } from '../../../ui/form/choice.tsx'
import { Variation } from '../../../ui/variation.tsx'
import type { Draft } from './draft.ts'
import type { ChangeDraft } from './draft-panel.ts'
import { EnvironmentSwitch } from './environment-switch.tsx'
import type { DraftFault } from './faults.ts'
import { useTargeting } from './targeting-context.ts'
import { VariationSelect } from './variation-select.tsx'

type SwitchPanelProps = { draft: Draft; faults: readonly DraftFault[]; onChange: ChangeDraft }

/** On or off, and what everyone gets while it is off. */
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
