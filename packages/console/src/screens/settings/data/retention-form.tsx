import { useMutation, useQueryClient } from '@tanstack/react-query'
import { retentionKinds } from '@telltale/core/query/retention'
import { type FormEvent, useState } from 'react'
import { type Environment, environmentsQuery, updateEnvironment } from '../../../api/environments.ts'
import { toProblem } from '../../../api/problem.ts'
import { useMay } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { kindWords } from './kind-words.ts'
import { NightList } from './night-list.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { changeIn, type DayTexts, faultsIn, textsOf } from './retention-draft.ts'

/** The edits, and the version they are based on. */
interface Draft {
  texts: DayTexts
  version: number
}

export function RetentionForm({ project, environment }: { project: string; environment: Environment }) {
  const [draft, setDraft] = useState<Draft>()
  const [isChecked, setChecked] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  const mayManage = useMay('environments.manage', environment.key) && !environment.managed
  const queryClient = useQueryClient()
  const { queryKey } = environmentsQuery(project)
  const place = { project, env: environment.key }
  const saving = useMutation({
    mutationFn: updateEnvironment,
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, (known) =>
        known ? { items: known.items.map((one) => (one.id === saved.id ? saved : one)) } : known,
      )
      reset()
      showToast({ text: 'Retention saved. It applies from the next nightly cleanup.' })
    },
  })
  const texts = draft?.texts ?? textsOf(environment.retentionDays)
  const change = changeIn(texts, environment.retentionDays)
  const isDirty = draft !== undefined && Object.keys(change.days).length > 0
  const faults = faultsIn(texts)
  const problem = saving.error && toProblem(saving.error)

  function reset() {
    setDraft(undefined)
    setChecked(false)
    setReviewing(false)
    saving.reset()
  }

  function save() {
    if (draft === undefined) return
    saving.mutate({ ...place, change: { retentionDays: change.days }, ifMatch: draft.version })
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    setChecked(true)
    if (Object.keys(faults).length > 0) {
      // After the faults are rendered.
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus())
    } else if (isDirty && !saving.isPending) {
      saving.reset()
      if (change.isShorter) setReviewing(true)
      else save()
    }
  }

  return (
    <form className="grid gap-16" noValidate onSubmit={submit}>
      <Panel title="Retention" note="Days to keep each type">
        <div className="grid gap-16">
          {problem && !isReviewing && <SaveTrouble problem={problem} onRead={readAgain} />}
          <div className="grid grid-cols-2 gap-12 wide:grid-cols-4">
            {retentionKinds.map((kind) => (
              <Field
                key={kind}
                label={`Keep ${kindWords[kind].label.toLowerCase()}`}
                hint={kindWords[kind].hint}
                inputMode="numeric"
                value={texts[kind]}
                onChange={(event) => {
                  const typed = { ...texts, [kind]: event.currentTarget.value }
                  setDraft({ texts: typed, version: draft?.version ?? environment.version })
                }}
                fault={isChecked ? faults[kind] : undefined}
                disabled={!mayManage}
                autoComplete="off"
              />
            ))}
          </div>
          <p className="max-w-form text-pretty text-text-2">
            Days begin at midnight in {environment.timeZone}. Sessions and views are kept as long as events or
            exposures, whichever is longer. Totals per flag are deleted by whole months. Kept sessions stay
            until released.
          </p>
        </div>
        <NightList place={place} />
      </Panel>
      <UnsavedChanges
        isDirty={isDirty && !isReviewing}
        busy={saving.isPending}
        verb={change.isShorter ? 'Preview…' : 'Save retention'}
        onDiscard={reset}
      />
      {isReviewing && (
        <PreviewDialog
          place={place}
          environment={environment}
          days={change.days}
          busy={saving.isPending}
          problem={problem}
          onConfirm={save}
          onClose={() => setReviewing(false)}
        />
      )}
    </form>
  )

  function readAgain() {
    reset()
    void queryClient.invalidateQueries({ queryKey })
  }
}

function SaveTrouble({ problem, onRead }: { problem: ReturnType<typeof toProblem>; onRead: () => void }) {
  const isConflict = problem.is('version-conflict')
  return (
    <Notice
      title={problem.title}
      detail={
        isConflict ? 'The environment was changed in the meantime. Reload it, then save.' : problem.detail
      }
      requestId={problem.requestId}
      action={isConflict && <Button onClick={onRead}>Reload</Button>}
    />
  )
}
