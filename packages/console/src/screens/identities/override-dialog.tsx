import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { type Identity, identityFlagsQuery } from '../../api/identities.ts'
import { flagVariationsQuery } from '../../api/overrides.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Radio } from '../../ui/form/choice.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { Async, Skeleton } from '../../ui/states.tsx'
import { Variation } from '../../ui/variation.tsx'
import { shortKey } from './identity-facts.tsx'
import { traitText } from './trait-text.ts'
import { useOverrides } from './use-overrides.ts'

type OverrideDialogProps = {
  identity: Identity
  /** Empty while none is chosen. */
  flag: string
  onClose: () => void
}

/** Overrides one flag for one identity in one environment, regardless of the rules. */
export function OverrideDialog({ identity, flag: given, onClose }: OverrideDialogProps) {
  const { project, environment } = useScope()
  const { targetingKey } = identity
  const explained = useQuery(identityFlagsQuery({ project, env: environment.key }, targetingKey))
  const [typed, setTyped] = useState(given)
  const [chosen, setChosen] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const overrides = useOverrides(targetingKey)
  const items = explained.data?.items ?? []
  const flag = typed.trim()
  const isKnown = given !== '' || items.some((item) => item.flag === flag)
  const before = identity.overrides.find((override) => override.flag === flag)?.variation
  const variation = chosen ?? before
  const problem = overrides.error && toProblem(overrides.error)
  const flagFault = isChecked && !isKnown ? 'Choose a flag from the list.' : undefined

  function submit() {
    setChecked(true)
    if (!isKnown || variation === undefined || overrides.isPending) return
    if (variation === before) return onClose()
    overrides.mutate({ flag, variation, before }, { onSuccess: onClose })
  }

  return (
    <Dialog
      title={`Override for ${shortKey(targetingKey)} in ${environment.name}`}
      description="The identity gets this variation from the next evaluation, regardless of rules. A flag that is off stays off."
      onClose={onClose}
      onSubmit={submit}
      footer={
        <FormButtons
          verb={before === undefined ? 'Add override' : 'Change override'}
          busy={overrides.isPending}
          onCancel={onClose}
        />
      }
    >
      <ProblemNotice problem={problem} />
      {given === '' ? (
        <Combobox
          label="Flag"
          code
          placeholder="checkout-v2"
          suggestions={items.map((item) => ({
            value: item.flag,
            ...(item.variation === null ? {} : { note: `now ${item.variation}` }),
          }))}
          maxLength={limits.keyLength}
          value={typed}
          onValue={(next) => {
            setTyped(next)
            setChosen(undefined)
          }}
          fault={flagFault}
        />
      ) : (
        <Field label="Flag" code value={given} readOnly />
      )}
      {isKnown && (
        <VariationChoice
          project={project}
          flag={flag}
          value={variation}
          onValue={setChosen}
          fault={isChecked && variation === undefined ? 'Choose a variation.' : undefined}
        />
      )}
    </Dialog>
  )
}

function VariationChoice(props: {
  project: string
  flag: string
  value: string | undefined
  onValue: (value: string) => void
  fault: string | undefined
}) {
  const variations = useQuery(flagVariationsQuery(props.project, props.flag))
  return (
    <Async of={variations} loading={<Skeleton rows={2} label="Loading the variations" />}>
      {(found) => (
        <div className="grid max-h-[40vh] gap-6 overflow-y-auto p-2">
          <Radio
            label="Variation"
            value={props.value ?? ''}
            onValue={props.onValue}
            choices={found.map(({ key, value }, order) => ({
              value: key,
              label: <Variation order={order} label={key} isKey />,
              hint: <code className="block max-w-card truncate">{traitText(value)}</code>,
            }))}
          />
          {props.fault && (
            <p role="alert" className="text-12 text-bad">
              {props.fault}
            </p>
          )}
        </div>
      )}
    </Async>
  )
}
