import { useQuery } from '@tanstack/react-query'
import type { Environment } from '../../../api/environments.ts'
import { type ConfigPlace, flagConfigQuery, targetedFlagQuery } from '../../../api/flag-configs.ts'
import { metricsQuery } from '../../../api/metrics.ts'
import type { RolloutDetail } from '../../../api/rollouts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { choicesAt, placesOf } from './place-choices.ts'
import { PlanEditor } from './plan-editor.tsx'
import { formOfDraft, type PlanForm } from './plan-form.ts'
import { usePlanRights } from './use-plan-rights.ts'

export interface PlanDialogProps {
  at: ConfigPlace
  environment: Environment
  /** The id of a rule, or `fallthrough`, which is the default. */
  place?: string | undefined
  treatment?: string | undefined
  /** To be changed. */
  draft?: RolloutDetail | undefined
  onClose: () => void
}

/** Makes a guarded rollout of a flag, or changes one that has not started. */
export function PlanDialog({ at, environment, place, treatment, draft, onClose }: PlanDialogProps) {
  const flag = useQuery(targetedFlagQuery(at))
  const config = useQuery(flagConfigQuery(at))
  const metrics = useQuery(metricsQuery(at.project))
  const against = usePlanRights(environment, flag.data?.archivedAt != null)
  const error = flag.error ?? config.error ?? metrics.error

  if (against === undefined && flag.data && config.data && metrics.data) {
    const places = placesOf(config.data)
    const chosen = places.find((one) => one.place === place) ?? places.at(-1)
    if (flag.data.variations.length > 1 && chosen) {
      const start: PlanForm = draft
        ? formOfDraft(draft)
        : {
            ...choicesAt(chosen, flag.data.variations, { treatment }),
            ...{ whenUndecided: 'hold', reason: '' },
            ...{ stages: undefined, metrics: undefined, timeBox: undefined },
          }
      return (
        <PlanEditor
          {...{ at, environment, start, draft, onClose }}
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
      title={`Roll out ${at.flag} under a guard`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {against !== undefined ? (
        <Notice tone="plain" title="You can look, and start nothing here" detail={against} />
      ) : error ? (
        <Trouble error={error} onRetry={retry} />
      ) : flag.data ? (
        <Notice
          tone="plain"
          title="A rollout needs two variations"
          detail="Add the new one in the settings of the flag."
        />
      ) : (
        <Skeleton rows={6} label="Loading the flag" />
      )}
    </Dialog>
  )
}
