import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { isKey, keyOf } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { useRef, useState } from 'react'
import { createFlag, flagsKey } from '../../api/flags.ts'
import { newIdempotencyKey } from '../../api/idempotency-key.ts'
import { type Fault, toProblem } from '../../api/problem.ts'
import { useOwners } from '../../features/people/use-owners.ts'
import { useAccount } from '../../shell/account.ts'
import { Segmented } from '../../ui/form/choice.tsx'
import { TextArea } from '../../ui/form/field.tsx'
import { focusFault } from '../../ui/form/focus-fault.ts'
import { keyAdvice } from '../../ui/form/key-advice.ts'
import { NameAndKeyFields } from '../../ui/form/name-and-key-fields.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormButtons } from '../../ui/overlay/form-buttons.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { typeNames } from './flag-words.ts'
import { AboutFields } from './form/about-fields.tsx'
import { emptyForm, type FlagForm, faultAt, findFaults, firstVariations, sentOf } from './form/flag-form.ts'
import { VariationFields } from './form/variation-fields.tsx'

const types = (['boolean', 'string', 'number', 'json'] as const).map((value) => ({
  value,
  label: typeNames[value],
}))

/** All fields of a new flag except its targeting: it is off in every environment until it is turned on. */
export function NewFlag({ project, onClose }: { project: string; onClose: () => void }) {
  const { user } = useAccount()
  const owners = useOwners(project)
  const body = useRef<HTMLDivElement>(null)
  const [form, setForm] = useState<FlagForm>(() => emptyForm(user.id))
  const [typedKey, setTypedKey] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  // Idempotency key, the same for every attempt with one draft: a double click or a retry after a timeout
  // creates one flag.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const key = typedKey ?? keyOf(form.name)
  const creation = useMutation({
    mutationFn: createFlag,
    onSuccess: async (flag) => {
      showToast({ text: `${flag.key} was created. It is off in every environment.` })
      await navigate({
        to: '/p/$project/flags/$flag/targeting',
        params: { project, flag: flag.key },
        replace: true,
      })
      await queryClient.invalidateQueries({ queryKey: flagsKey(project) })
    },
    onError: () => focusFault(body),
  })
  const problem = creation.error && toProblem(creation.error)
  const faults = [...(isChecked ? faultsOf(form, key) : []), ...(problem ? refusedAt(problem) : [])]

  function changed() {
    setIdempotencyKey(newIdempotencyKey())
    creation.reset()
  }
  function edit(change: Partial<FlagForm>) {
    setForm({ ...form, ...change })
    changed()
  }
  function submit() {
    setChecked(true)
    if (faultsOf(form, key).length > 0) return focusFault(body)
    if (creation.isPending) return
    const { valueSchema: _none, ...sent } = sentOf(form)
    creation.mutate({ project, draft: { ...sent, key, valueType: form.valueType }, idempotencyKey })
  }

  return (
    <Dialog
      title="New flag"
      description="Off in every environment until you turn it on."
      size="wide"
      onClose={onClose}
      onSubmit={submit}
      footer={<FormButtons verb="Create flag" busy={creation.isPending} onCancel={onClose} />}
    >
      <div ref={body} className="grid min-w-0 gap-16">
        {problem && refusedAt(problem).length === 0 && <ProblemNotice problem={problem} />}
        <div className="grid min-w-0 gap-16 wide:grid-cols-2">
          <NameAndKeyFields
            name={form.name}
            ownKey={key}
            faults={{ name: faultAt(faults, '/name'), key: faultAt(faults, '/key') }}
            hint="Used in code. Cannot be changed later."
            onName={(name) => edit({ name })}
            onKey={(typed) => {
              setTypedKey(typed)
              changed()
            }}
          />
        </div>
        <TextArea
          label="Description (optional)"
          value={form.description}
          onChange={(event) => edit({ description: event.currentTarget.value })}
          maxLength={limits.descriptionLength}
          fault={faultAt(faults, '/description')}
          rows={2}
        />
        <div className="grid gap-6">
          <span className="font-medium">Type</span>
          <Segmented
            label="Type"
            choices={types}
            value={form.valueType}
            onValue={(valueType) =>
              valueType !== form.valueType && edit({ valueType, variations: firstVariations(valueType) })
            }
          />
          <p className="text-12 text-text-3">Cannot be changed later.</p>
        </div>
        <VariationFields
          valueType={form.valueType}
          variations={form.variations}
          onVariations={(variations) => edit({ variations })}
          faults={faults}
        />
        <AboutFields project={project} form={form} onForm={edit} owners={owners} faults={faults} />
      </div>
    </Dialog>
  )
}

function faultsOf(form: FlagForm, key: string): Fault[] {
  return [...findFaults(form), ...(isKey(key) ? [] : [{ pointer: '/key', message: keyAdvice }])]
}

/** A refusal that belongs to a field. */
function refusedAt(problem: ReturnType<typeof toProblem>): readonly Fault[] {
  if (problem.is('already-exists')) {
    return [{ pointer: '/key', message: 'A flag with this key exists, maybe archived. Choose another one.' }]
  }
  return problem.errors
}
