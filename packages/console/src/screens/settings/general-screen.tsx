import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { type FormEvent, useState } from 'react'
import { accountQuery } from '../../api/accounts.ts'
import { toProblem } from '../../api/problem.ts'
import { deleteProject, type Project, projectQuery, renameProject } from '../../api/projects.ts'
import { useMay } from '../../shell/account.ts'
import { MayNotice } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Field } from '../../ui/form/field.tsx'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { Time } from '../../ui/text/time.tsx'
import { ManagedNotice } from './managed-notice.tsx'

export function GeneralScreen() {
  const { project } = useScope()
  const found = useQuery(projectQuery(project))

  return (
    <SectionScreen of="settings" title="General">
      <MayNotice permission="project.manage" />
      <Async of={found}>
        {(one) => (
          <>
            <ProjectForm project={one} />
            <DeletePanel project={one} />
          </>
        )}
      </Async>
    </SectionScreen>
  )
}

function ProjectForm({ project }: { project: Project }) {
  const [typed, setTyped] = useState<string>()
  const mayManage = useMay('project.manage')
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: renameProject,
    onSuccess: async (saved) => {
      queryClient.setQueryData(projectQuery(saved.key).queryKey, saved)
      setTyped(undefined)
      showToast({ text: 'Name saved.' })
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const name = typed ?? project.name
  const isDirty = typed !== undefined && typed.trim() !== project.name
  const isConflict = problem?.is('version-conflict') ?? false

  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() !== '' && isDirty && !saving.isPending) {
      saving.mutate({ project: project.key, name: name.trim(), ifMatch: project.version })
    }
  }

  return (
    <form className="grid gap-16" onSubmit={submit}>
      {problem && (
        <Notice
          title={problem.title}
          detail={
            isConflict ? 'The project was changed in the meantime. Reload it, then save.' : problem.detail
          }
          requestId={problem.requestId}
          action={
            isConflict && (
              <Button
                onClick={() => {
                  saving.reset()
                  void queryClient.invalidateQueries({ queryKey: projectQuery(project.key).queryKey })
                }}
              >
                Reload
              </Button>
            )
          }
        />
      )}
      {project.managed && <ManagedNotice />}
      <Panel title="Project">
        <div className="grid max-w-form gap-16">
          <Field
            label="Name"
            value={name}
            onChange={(event) => setTyped(event.currentTarget.value)}
            maxLength={limits.nameLength}
            fault={name.trim() === '' ? 'Enter a name.' : undefined}
            disabled={!mayManage || project.managed}
            autoComplete="off"
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
      </Panel>
      <UnsavedChanges
        isDirty={isDirty}
        busy={saving.isPending}
        verb="Save name"
        onDiscard={() => setTyped(undefined)}
      />
    </form>
  )
}

function DeletePanel({ project }: { project: Project }) {
  const [isOpen, setOpen] = useState(false)
  const mayDelete = useMay('projects.delete')
  const deletion = useMutation({
    mutationFn: deleteProject,
    // A full page load clears the project's data from memory.
    onSuccess: () => window.location.assign('/'),
  })

  return (
    <Panel title="Delete project">
      <div className="flex flex-wrap items-center justify-between gap-12">
        <p className="max-w-read text-pretty text-text-2">
          Deletes every environment, flag, key and all telemetry of {project.name}.
          {!mayDelete && ' Only an owner of the installation can do this.'}
          {mayDelete && project.managed && ' It is defined in the setup file. Remove it there first.'}
        </p>
        <Button look="danger" disabled={!mayDelete || project.managed} onClick={() => setOpen(true)}>
          Delete project…
        </Button>
      </div>
      {isOpen && (
        <ConfirmDialog
          title={`Delete project ${project.name}`}
          consequence="Applications that use one of its keys immediately fall back to the defaults in their code. This can only be undone from a backup."
          verb="Delete project"
          typed={project.key}
          busy={deletion.isPending}
          problem={deletion.error && toProblem(deletion.error)}
          onConfirm={() => deletion.mutate(project.key)}
          onClose={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}
