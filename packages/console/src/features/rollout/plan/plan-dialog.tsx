import { useQuery } from '@tanstack/react-query'
import type { Environment } from '../../../api/environments.ts'
import { type ConfigRef, flagConfigQuery, targetedFlagQuery } from '../../../api/flag-configs.ts'
import { metricsQuery } from '../../../api/metrics.ts'
import type { RolloutDetail } from '../../../api/rollouts.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { choicesAt, placesOf, poolAt } from './place-choices.ts'
import { PlanEditor } from './plan-editor.tsx'
import { formOfDraft, type PlanForm } from './plan-form.ts'
import { placeServing, planSettling, type Settling } from './settling.ts'
import { usePlanRights } from './use-plan-rights.ts'

export interface PlanDialogProps {
  at: ConfigRef
  environment: Environment
  /** The id of a rule, or `fallthrough`, the default. */
  place?: string | undefined
  treatment?: string | undefined
  /** A split that confirms or rules out the treatment as the cause, in place of the proposed stages. */
  settling?: Settling | undefined
  /** The rolled-back rollout whose explained harm it has to prove to be gone. */
  proves?: RolloutDetail | undefined
  /** The rollout to edit. */
  draft?: RolloutDetail | undefined
  onClose: () => void
}

/** Creates a guarded rollout of a flag, or edits one that has not started. */
export function PlanDialog(props: PlanDialogProps) {
  const { at, environment, place, treatment, settling, proves, draft, onClose } = props
  const flag = useQuery(targetedFlagQuery(at))
  const config = useQuery(flagConfigQuery(at))
  const metrics = useQuery(metricsQuery(at.project))
  const against = usePlanRights(environment, flag.data?.archivedAt != null)
  const error = flag.error ?? config.error ?? metrics.error

  if (against === undefined && flag.data && config.data && metrics.data) {
    const places = placesOf(config.data)
    const chosen =
      places.find((one) => one.place === place) ??
      (settling && placeServing(places, treatment)) ??
      places.at(-1)
    if (flag.data.variations.length > 1 && chosen) {
      const choices = choicesAt(chosen, flag.data.variations, { treatment })
      const start: PlanForm = draft
        ? formOfDraft(draft)
        : {
            ...choices,
            whenUndecided: 'hold',
            freshDraw: false,
            onSliceHarm: 'roll-back',
            sliceAttribute: '',
            reason: '',
            stages: undefined,
            metrics: undefined,
            timeBox: undefined,
            alpha: undefined,
            template: '',
            proves: choices.treatment === proves?.treatment ? proves?.id : undefined,
            ...(settling && planSettling(settling, poolAt(chosen, choices), metrics.data)),
          }
      return (
        <PlanEditor
          at={at}
          environment={environment}
          start={start}
          draft={draft}
          onClose={onClose}
          flag={flag.data}
          config={config.data}
          metrics={metrics.data}
        />
      )
    }
  }
  const retry = () => void Promise.all([flag.refetch(), config.refetch(), metrics.refetch()])
  return (
    <Dialog
      title={`Start a guarded rollout of ${at.flag}`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {against !== undefined ? (
        <Notice tone="plain" title="Read-only" detail={against} />
      ) : error ? (
        <Trouble error={error} onRetry={retry} />
      ) : flag.data ? (
        <Notice
          tone="plain"
          title="A rollout needs two variations"
          detail="Add one in the flag's settings."
        />
      ) : (
        <Skeleton rows={6} label="Loading the flag" />
      )}
    </Dialog>
  )
}
