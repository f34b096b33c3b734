import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { percentText } from '@telltale/core/changes/condition-words'
import { useState } from 'react'
import { deleteExperiment, type Experiment, experimentsKey, startExperiment } from '../../api/experiments.ts'
import { toProblem } from '../../api/problem.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { EndDialog } from './end-dialog.tsx'
import { ExperimentDialog } from './experiment-dialog.tsx'

/** Start, end, change and delete, as far as the state and the role allow. */
export function ExperimentActions({ experiment }: { experiment: Experiment }) {
  const mayChange = useMay('flags.change', experiment.env)
  const [open, setOpen] = useState<'start' | 'end' | 'change' | 'delete'>()
  const close = () => setOpen(undefined)
  const { state } = experiment
  return (
    <span className="flex gap-8 print:hidden">
      <Button onClick={() => window.print()}>Print</Button>
      {mayChange && state === 'draft' && (
        <Button look="primary" onClick={() => setOpen('start')}>
          Start
        </Button>
      )}
      {mayChange && state === 'running' && (
        <Button look="primary" onClick={() => setOpen('end')}>
          End…
        </Button>
      )}
      {mayChange && (
        <Menu align="end" trigger={<Button icon="more" aria-label="More" />}>
          <MenuItem icon="edit" onSelect={() => setOpen('change')}>
            Change…
          </MenuItem>
          {state !== 'running' && (
            <MenuItem icon="trash" danger onSelect={() => setOpen('delete')}>
              Delete…
            </MenuItem>
          )}
        </Menu>
      )}
      {open === 'start' && <StartDialog experiment={experiment} onClose={close} />}
      {open === 'end' && <EndDialog experiment={experiment} onClose={close} />}
      {open === 'change' && <Change experiment={experiment} onClose={close} />}
      {open === 'delete' && <DeleteDialog experiment={experiment} onClose={close} />}
    </span>
  )
}

type PartProps = { experiment: Experiment; onClose: () => void }

function Change({ experiment, onClose }: PartProps) {
  const { project } = useScope()
  const { env, flag } = experiment
  return (
    <ExperimentDialog
      place={{ project, env, flag }}
      experiment={experiment}
      onDone={() => {}}
      onClose={onClose}
    />
  )
}

function StartDialog({ experiment, onClose }: PartProps) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const starting = useMutation({
    mutationFn: () => startExperiment({ project, experiment: experiment.id }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: experimentsKey(project) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Start ${experiment.name}`}
      consequence={`Goals, control and the way they are measured are fixed from now on. ${
        experiment.layer === null
          ? 'Users keep their variations; only what happens after the start counts.'
          : `${percentText(experiment.layer.share)} of layer ${experiment.layer.name} is reserved: all other users of the split get ${experiment.control} until the end.`
      }`}
      verb="Start"
      danger={false}
      busy={starting.isPending}
      problem={starting.error && toProblem(starting.error)}
      onConfirm={() => starting.mutate()}
      onClose={onClose}
    />
  )
}

function DeleteDialog({ experiment, onClose }: PartProps) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: () => deleteExperiment({ project, experiment: experiment.id }),
    onSuccess: async () => {
      await navigate({ to: '/p/$project/experiments', params: { project }, search: {} })
      await queryClient.invalidateQueries({ queryKey: [...experimentsKey(project), 'list'] })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${experiment.name}`}
      consequence="Its plan, its decision and its kept results are deleted. The flag and its telemetry stay."
      verb="Delete"
      busy={deleting.isPending}
      problem={deleting.error && toProblem(deleting.error)}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    />
  )
}
