import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { metricsQuery } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import {
  deleteRolloutTemplate,
  type RolloutTemplate,
  rolloutTemplatesKey,
  rolloutTemplatesQuery,
} from '../../../api/rollout-templates.ts'
import { useKnownMetrics } from '../../../features/rollout/use-known-metrics.ts'
import { useMay } from '../../../shell/account.ts'
import { MayNotice } from '../../../shell/may-notice.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { SectionScreen } from '../../../shell/section-screen.tsx'
import { useNewButton } from '../../../shell/use-new-button.tsx'
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { templateColumns } from './template-columns.tsx'
import { TemplateDialog } from './template-dialog.tsx'

type Open =
  | { kind: 'edit'; template: RolloutTemplate | undefined }
  | { kind: 'delete'; template: RolloutTemplate }

/** The plans of guarded rollouts that a project keeps for its flags. */
export function RolloutTemplatesScreen() {
  const { project } = useScope()
  const templates = useQuery(rolloutTemplatesQuery(project))
  const metrics = useQuery(metricsQuery(project))
  const mayChange = useMay('flags.change')
  const { nameOf } = useKnownMetrics()
  const [open, setOpen] = useState<Open>()
  const create = () => setOpen({ kind: 'edit', template: undefined })
  const newButton = useNewButton({ label: 'New template', mayCreate: mayChange, create })
  const columns = templateColumns({
    mayChange,
    nameOf,
    onEdit: (template) => setOpen({ kind: 'edit', template }),
    onDelete: (template) => setOpen({ kind: 'delete', template }),
  })

  return (
    <SectionScreen
      of="settings"
      title="Rollout templates"
      lead="Stages, metrics and limits to start guarded rollouts from."
      actions={newButton}
    >
      <MayNotice permission="flags.change" />
      <Async
        of={templates}
        empty={
          <Empty title="No rollout templates">
            Create one, or save the plan of a guarded rollout as a template.
          </Empty>
        }
      >
        {(rows) => (
          <DataTable label="Rollout templates" rows={rows} rowId={keyOf} columns={columns} tall={false} />
        )}
      </Async>
      {open?.kind === 'edit' && metrics.data && (
        <TemplateDialog template={open.template} metrics={metrics.data} onClose={() => setOpen(undefined)} />
      )}
      {open?.kind === 'delete' && (
        <DeleteTemplate template={open.template} onClose={() => setOpen(undefined)} />
      )}
    </SectionScreen>
  )
}

const keyOf = ({ key }: RolloutTemplate) => key

function DeleteTemplate({ template, onClose }: { template: RolloutTemplate; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const deleting = useMutation({
    mutationFn: deleteRolloutTemplate,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: rolloutTemplatesKey(project) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete template ${template.name}`}
      consequence="Rollouts drafted from it stay unchanged."
      verb="Delete"
      busy={deleting.isPending}
      problem={deleting.error ? toProblem(deleting.error) : null}
      onConfirm={() => deleting.mutate({ project, template: template.key })}
      onClose={onClose}
    />
  )
}
