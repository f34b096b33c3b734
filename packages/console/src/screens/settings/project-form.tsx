import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { type Problem, toProblem } from '../../api/problem.ts'
import { type Project, projectQuery, updateProject } from '../../api/projects.ts'
import { useMay } from '../../shell/account.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Field } from '../../ui/form/field.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/text/time.tsx'
import { ManagedNotice } from './managed-notice.tsx'

interface Draft {
  name: string
  /** Empty for none. */
  traceLink: string
}

/** The name of the project and its link to traces in another tool. */
export function ProjectForm({ project }: { project: Project }) {
  const stored: Draft = { name: project.name, traceLink: project.traceLink ?? '' }
  const [typed, setTyped] = useState<Partial<Draft>>({})
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: updateProject,
    onSuccess: async (saved) => {
      queryClient.setQueryData(projectQuery(saved.key).queryKey, saved)
      setTyped({})
      showToast({ text: 'Project saved.' })
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
  const draft = { ...stored, ...typed }
  const [name, traceLink] = [draft.name.trim(), draft.traceLink.trim()]
  const isDirty = name !== stored.name || traceLink !== stored.traceLink
  const isValid = name !== '' && linkFault(traceLink) === undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isDirty || !isValid || saving.isPending) return
    const change = { name, traceLink: traceLink === '' ? null : traceLink }
    saving.mutate({ project: project.key, change, ifMatch: project.version })
  }

  async function reload() {
    saving.reset()
    await queryClient.invalidateQueries({ queryKey: projectQuery(project.key).queryKey })
  }

  return (
    <form className="grid gap-16" onSubmit={submit}>
      {saving.error && <SaveProblem problem={toProblem(saving.error)} onReload={() => void reload()} />}
      {project.managed && <ManagedNotice />}
      <Panel title="Project">
        <Fields project={project} draft={draft} onChange={(change) => setTyped({ ...typed, ...change })} />
      </Panel>
      <UnsavedChanges
        isDirty={isDirty}
        busy={saving.isPending}
        verb="Save project"
        onDiscard={() => setTyped({})}
      />
    </form>
  )
}

type FieldsProps = { project: Project; draft: Draft; onChange: (change: Partial<Draft>) => void }

function Fields({ project, draft, onChange }: FieldsProps) {
  const disabled = !useMay('project.manage') || project.managed
  return (
    <div className="grid max-w-form gap-16">
      <Field
        label="Name"
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        maxLength={limits.nameLength}
        fault={draft.name.trim() === '' ? 'Enter a name.' : undefined}
        disabled={disabled}
        autoComplete="off"
      />
      <Field
        label="Traces in another tool"
        hint="Adds the link “Open elsewhere” beside traces. {traceId} becomes the ID of the trace."
        placeholder="https://tempo.example/trace/{traceId}"
        value={draft.traceLink}
        onChange={(event) => onChange({ traceLink: event.currentTarget.value })}
        maxLength={limits.traceLinkLength}
        fault={linkFault(draft.traceLink.trim())}
        disabled={disabled}
        autoComplete="off"
        spellCheck={false}
        code
      />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-16 gap-y-6">
        <dt className="text-text-3">Key</dt>
        <dd className="min-w-0">
          <CopyText text={project.key} label="Copy the key" />
        </dd>
        <dt className="text-text-3">Created</dt>
        <dd>
          <Time at={project.createdAt} />
        </dd>
      </dl>
    </div>
  )
}

function linkFault(link: string): string | undefined {
  if (link === '') return undefined
  if (!/^https?:\/\/[^\s/?#@\\]+/.test(link)) return 'Enter an address that starts with https:// or http://.'
  if (/\s/.test(link)) return 'Remove the spaces from the address.'
  if (!/^https?:\/\/[^/?#@\\]+[/?#].*\{traceId\}/.test(link)) return 'Add {traceId} after the host.'
  return undefined
}

function SaveProblem({ problem, onReload }: { problem: Problem; onReload: () => void }) {
  const isConflict = problem.is('version-conflict')
  return (
    <Notice
      title={problem.title}
      detail={isConflict ? 'The project was changed in the meantime. Reload it, then save.' : problem.detail}
      requestId={problem.requestId}
      action={isConflict && <Button onClick={onReload}>Reload</Button>}
    />
  )
}
