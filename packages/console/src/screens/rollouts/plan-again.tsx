import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { deleteRollout, type RolloutDetail, rolloutEvidenceQuery } from '../../api/rollouts.ts'
import { usePlanRights } from '../../features/rollout/plan/use-plan-rights.ts'
import { PlanRollout } from '../../features/rollout/plan-rollout.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { showToast } from '../../ui/overlay/toast.tsx'

/** A draft can be edited and deleted; after a rollout has ended, another one can be planned. */
export function PlanAgain({ rollout }: { rollout: RolloutDetail }) {
  const { environments } = useScope()
  const environment = environments.find(({ key }) => key === rollout.env)
  if (environment === undefined) return null
  return <PlanButtons rollout={rollout} environment={environment} />
}

type PlanButtonsProps = {
  rollout: RolloutDetail
  environment: ReturnType<typeof useScope>['environment']
}

function PlanButtons({ rollout, environment }: PlanButtonsProps) {
  const { project } = useScope()
  const { flag, env, place, treatment } = rollout
  const isDraft = rollout.state === 'draft'
  const against = usePlanRights(environment, false)
  const [open, setOpen] = useState<'plan' | 'delete'>()
  const canProve = useCanProve(rollout)
  const close = () => setOpen(undefined)
  if (against !== undefined) {
    return isDraft ? <p className="text-pretty text-12 text-text-3 print:hidden">{against}</p> : null
  }
  return (
    <div className="flex flex-wrap gap-8 print:hidden">
      <Button onClick={() => setOpen('plan')}>{isDraft ? 'Edit draft' : 'Plan another rollout'}</Button>
      {isDraft && (
        <Button look="danger" icon="trash" onClick={() => setOpen('delete')}>
          Delete draft
        </Button>
      )}
      {open === 'plan' && (
        <PlanRollout
          at={{ project, env, flag }}
          environment={environment}
          place={place}
          treatment={treatment}
          draft={isDraft ? rollout : undefined}
          proves={canProve ? rollout : undefined}
          onClose={close}
        />
      )}
      {open === 'delete' && <DeleteDraft rollout={rollout} onClose={close} />}
    </div>
  )
}

/** Whether an error or a failed request explained its rollback. */
function useCanProve({ id, state }: RolloutDetail): boolean {
  const { project } = useScope()
  const kept = useQuery({
    ...rolloutEvidenceQuery({ project, rollout: id }),
    enabled: state === 'rolled-back',
  })
  return (kept.data ?? []).some(({ found }) =>
    found.explanations.some(({ issue, request, measuredIn }) => measuredIn === 'units' && (issue ?? request)),
  )
}

function DeleteDraft({ rollout, onClose }: { rollout: RolloutDetail; onClose: () => void }) {
  const { project } = useScope()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const deleting = useMutation({
    mutationFn: deleteRollout,
    onSuccess: async () => {
      showToast({ text: 'Draft deleted.' })
      await navigate({ to: '/p/$project/rollouts', params: { project }, search: {} })
      await queryClient.invalidateQueries({ queryKey: ['projects', project, 'rollouts', 'list'] })
    },
  })
  return (
    <ConfirmDialog
      title={`Delete draft for ${rollout.flag}`}
      consequence="It never started. No user is affected."
      verb="Delete draft"
      busy={deleting.isPending}
      problem={deleting.error ? toProblem(deleting.error) : null}
      onConfirm={() => deleting.mutate({ project, rollout: rollout.id })}
      onClose={onClose}
    />
  )
}
