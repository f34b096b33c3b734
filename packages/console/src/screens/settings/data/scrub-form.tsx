import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useState } from 'react'
import { type Environment, environmentsQuery, updateEnvironment } from '../../../api/environments.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/form/field.tsx'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { faultsOf, rulesOf, type ScrubField, type ScrubValues, valuesOf } from './scrub-draft.ts'

const fields: readonly { field: ScrubField; label: string; hint: string }[] = [
  {
    field: 'parameters',
    label: 'Parameters',
    hint: 'Masks the value after name= in URLs and texts. One name per line.',
  },
  {
    field: 'attributes',
    label: 'Attributes',
    hint: 'Attributes of events and of their context that are never stored. One name per line.',
  },
  {
    field: 'expressions',
    label: 'Expressions',
    hint: `Masks matches: RE2 syntax, one per line, at most ${limits.scrubExpressions}.`,
  },
]

/** The edits, and the version they are based on. */
interface Draft {
  values: ScrubValues
  version: number
}

export function ScrubForm({ project, environment }: { project: string; environment: Environment }) {
  const [draft, setDraft] = useState<Draft>()
  const mayManage = useMay('environments.manage', environment.key) && !environment.managed
  const queryClient = useQueryClient()
  const { queryKey } = environmentsQuery(project)
  const saving = useMutation({
    mutationFn: updateEnvironment,
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, (known) =>
        known ? { items: known.items.map((one) => (one.id === saved.id ? saved : one)) } : known,
      )
      reset()
      showToast({ text: 'Rules saved. They apply to new data.' })
    },
  })
  const values = draft?.values ?? valuesOf(environment)
  const rules = rulesOf(values)
  const isDirty =
    draft !== undefined && JSON.stringify(rules) !== JSON.stringify(rulesOf(valuesOf(environment)))
  const problem = saving.error && toProblem(saving.error)
  const isConflict = problem?.is('version-conflict') ?? false
  const faults = problem ? faultsOf(problem.errors, rules) : {}

  function reset() {
    setDraft(undefined)
    saving.reset()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (draft === undefined || !isDirty || saving.isPending) return
    saving.mutate({ project, env: environment.key, change: { scrub: rules }, ifMatch: draft.version })
  }

  return (
    <form className="grid gap-16" noValidate onSubmit={submit}>
      <Panel title="Masked in telemetry" note="before storage">
        <div className="grid max-w-form gap-16">
          {problem && Object.keys(faults).length === 0 && (
            <Notice
              title={problem.title}
              detail={
                isConflict
                  ? 'The environment was changed in the meantime. Reload it, then save.'
                  : problem.detail
              }
              requestId={problem.requestId}
              action={
                isConflict && (
                  <Button
                    onClick={() => {
                      reset()
                      void queryClient.invalidateQueries({ queryKey })
                    }}
                  >
                    Reload
                  </Button>
                )
              }
            />
          )}
          <p className="text-pretty text-text-2">
            E-mail addresses, payment card numbers and URL query values are masked. Only the privacy level{' '}
            <code>allow</code> keeps query values. Rules mask more, in data that arrives after you save them.
          </p>
          {fields.map(({ field, label, hint }) => (
            <TextArea
              key={field}
              label={label}
              hint={hint}
              code
              rows={3}
              value={values[field]}
              onChange={(event) => {
                const typed = { ...values, [field]: event.currentTarget.value }
                setDraft({ values: typed, version: draft?.version ?? environment.version })
              }}
              fault={faults[field]}
              disabled={!mayManage}
              spellCheck={false}
              autoCapitalize="none"
            />
          ))}
        </div>
      </Panel>
      <UnsavedChanges isDirty={isDirty} busy={saving.isPending} verb="Save rules" onDiscard={reset} />
    </form>
  )
}
