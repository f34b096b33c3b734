import type { TargetedFlag } from '../../../api/flag-configs.ts'
import type { Fault } from '../../../api/problem.ts'
import { Combobox } from '../../../ui/form/combobox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import type { Suggestion } from '../../../ui/form/suggestion-list.tsx'
import { choicesAt, mainControl, type PlaceChoice, treatmentsAt } from './place-choices.ts'
import { faultUnder } from './plan-faults.ts'
import type { PlanForm } from './plan-form.ts'

type WhatFieldsProps = {
  flag: TargetedFlag
  places: readonly PlaceChoice[]
  form: PlanForm
  faults: readonly Fault[]
  units: readonly Suggestion[]
  onForm: (part: Partial<PlanForm>) => void
}

/** The variation, its place, the control, and the unit that is counted. */
export function WhatFields({ flag, places, form, faults, units, onForm }: WhatFieldsProps) {
  const place = places.find((one) => one.place === form.place)
  const variations = place ? treatmentsAt(place, flag.variations) : flag.variations
  const controls = (place?.arms ?? []).filter(({ variation }) => variation !== form.treatment)

  return (
    <div className="grid min-w-0 gap-12 wide:grid-cols-2">
      <Select
        label="Variation"
        autoFocus
        options={optionsOf(variations, form.treatment)}
        value={form.treatment}
        fault={faultUnder(faults, '/treatment')}
        onValue={(treatment) =>
          onForm({
            treatment,
            ...(place && treatment === form.control && { control: mainControl(place, treatment) }),
          })
        }
      />
      <Select
        label="Control"
        options={optionsOf(
          controls.map(({ variation }) => ({ key: variation, name: nameIn(flag, variation) })),
          form.control,
        )}
        value={form.control}
        fault={faultUnder(faults, '/control')}
        onValue={(control) => onForm({ control })}
      />
      <Select
        label="For"
        options={[
          ...places.map((one) => ({ value: one.place, label: one.name })),
          ...(place ? [] : [{ value: form.place, label: 'Deleted rule' }]),
        ]}
        value={form.place}
        fault={faultUnder(faults, '/place')}
        onValue={(next) => {
          const chosen = places.find((one) => one.place === next)
          if (chosen) onForm(choicesAt(chosen, flag.variations, form))
        }}
      />
      {place?.by === undefined ? (
        <Combobox
          label="Unit"
          code
          hint="Users are assigned and counted by this attribute."
          suggestions={units}
          value={form.by}
          fault={faultUnder(faults, '/by')}
          onValue={(by) => onForm({ by })}
        />
      ) : (
        <Field
          label="Unit"
          code
          hint="The attribute the split is based on."
          value={form.by}
          fault={faultUnder(faults, '/by')}
          readOnly
        />
      )}
    </div>
  )
}

interface Named {
  key: string
  name: string
}

/** A chosen option stays in the list even after it was deleted. */
function optionsOf(variations: readonly Named[], chosen: string) {
  const isThere = chosen === '' || variations.some(({ key }) => key === chosen)
  return [
    ...(isThere ? [] : [{ value: chosen, label: chosen }]),
    ...variations.map(({ key, name }) => ({
      value: key,
      label: name !== '' && name.toLowerCase() !== key.toLowerCase() ? `${key} · ${name}` : key,
    })),
  ]
}

const nameIn = ({ variations }: TargetedFlag, variation: string) =>
  variations.find(({ key }) => key === variation)?.name ?? ''
