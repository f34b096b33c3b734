import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { aaTestQuery } from '../../api/aa-test.ts'
import {
  type Environment,
  type EnvironmentChange,
  environmentsQuery,
  updateEnvironment,
} from '../../api/environments.ts'
import { isProblem, toProblem } from '../../api/problem.ts'
import { recordingOrdersQuery } from '../../api/recording-orders.ts'
import { useMay } from '../../shell/account.ts'
import { Button } from '../../ui/button.tsx'
import { DiffView } from '../../ui/diff/diff-view.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { changeOf, type EnvironmentValues, faultsOf, findFaults, valuesOf } from './environment-draft.ts'
import { EnvironmentFields } from './environment-fields.tsx'

type EnvironmentFormProps = { project: string; environment: Environment }

/** The edits and their base version: another member may save in the meantime. */
interface Draft {
  base: Environment
  values: EnvironmentValues
}

export function EnvironmentForm({ project, environment }: EnvironmentFormProps) {
  const [draft, setDraft] = useState<Draft>()
  const [isChecked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const mayManage = useMay('environments.manage', environment.key)
  const queryClient = useQueryClient()
  const { queryKey } = environmentsQuery(project)
  const saving = useMutation({
    mutationFn: updateEnvironment,
    onSuccess: (saved) => {
      void queryClient.invalidateQueries(aaTestQuery(project, saved.key))
      void queryClient.invalidateQueries(recordingOrdersQuery(project, saved.key))
      queryClient.setQueryData(queryKey, (known) =>
        known ? { items: known.items.map((one) => (one.id === saved.id ? saved : one)) } : known,
      )
      reset()
      showToast({ text: `Settings of ${saved.name} saved.` })
    },
    onError: async (error) => {
      if (isProblem(error) && error.is('version-conflict')) await queryClient.invalidateQueries({ queryKey })
    },
  })
  const base = draft?.base ?? environment
  const values = draft?.values ?? valuesOf(environment)
  const change = changeOf(values, base)
  const isDirty = Object.keys(change).length > 0
  const found = findFaults(values)
  const problem = saving.error && toProblem(saving.error)
  const isConflict = problem?.is('version-conflict') ?? false
  const faults = { ...(problem ? faultsOf(problem.errors, change) : {}), ...(isChecked ? found : {}) }

  function reset() {
    setDraft(undefined)
    setChecked(false)
    saving.reset()
  }

  function save(over: Environment) {
    setChecked(true)
    if (Object.keys(found).length > 0) {
      // After the faults are rendered.
      requestAnimationFrame(() => {
        const first = form.current?.querySelector<HTMLElement>('[aria-invalid]')
        first?.focus()
        first?.scrollIntoView({ block: 'nearest' })
      })
    } else if (isDirty && !saving.isPending) {
      saving.mutate({ project, env: environment.key, change, ifMatch: over.version })
    }
  }

  return (
    <form
      ref={form}
      className="grid gap-16"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save(base)
      }}
    >
      {!isConflict && <ProblemNotice problem={problem} />}
      {isConflict && (
        <Conflict
          base={base}
          now={environment}
          change={change}
          onSaveOver={() => save(environment)}
          onDiscard={reset}
        />
      )}
      <EnvironmentFields
        env={environment.key}
        values={values}
        faults={faults}
        disabled={!mayManage || environment.managed}
        onChange={(part) => setDraft({ base, values: { ...values, ...part } })}
      />
      <UnsavedChanges isDirty={isDirty} busy={saving.isPending} verb="Save settings" onDiscard={reset} />
    </form>
  )
}

type ConflictProps = {
  base: Environment
  now: Environment
  change: EnvironmentChange
  onSaveOver: () => void
  onDiscard: () => void
}

function Conflict({ base, now, change, onSaveOver, onDiscard }: ConflictProps) {
  return (
    <Notice
      title="Someone else saved first"
      detail={
        <div className="grid gap-8 pt-4">
          <p>What they changed:</p>
          <DiffView before={shownOf(base)} after={shownOf(now)} label="What someone else changed" />
          <p>
            Yours: {Object.keys(change).join(', ')}. Saving keeps theirs, except where both changed the same
            setting.
          </p>
          <div className="flex flex-wrap gap-8">
            <Button onClick={onSaveOver}>Save mine too</Button>
            <Button onClick={onDiscard}>Discard mine</Button>
          </div>
        </div>
      }
    />
  )
}

function shownOf({ version: _version, ...settings }: Environment) {
  return settings
}
