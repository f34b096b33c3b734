import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { deleteProject, type Project, projectQuery } from '../../api/projects.ts'
import { useMay } from '../../shell/account.ts'
import { MayNotice } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { SectionScreen } from '../../shell/section-screen.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { ProjectForm } from './project-form.tsx'

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
