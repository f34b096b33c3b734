import { useNavigate } from '@tanstack/react-router'
import { usualAlpha } from '@telltale/core/guard/usual-plan'
import { limits } from '@telltale/core/limits'
import { useRef, useState } from 'react'
import type { Environment } from '../../../api/environments.ts'
import type { ConfigRef, SavedConfig, TargetedFlag } from '../../../api/flag-configs.ts'
import type { Metric } from '../../../api/metrics.ts'
import { toProblem } from '../../../api/problem.ts'
import type { RolloutDetail } from '../../../api/rollouts.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/form/field.tsx'
import { focusFault } from '../../../ui/form/focus-fault.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { BackTestView } from '../back-test/back-test-view.tsx'
import { useBackTest } from '../back-test/use-back-test.ts'
import { faultUnder, findFaults } from './plan-faults.ts'
import { PlanFields } from './plan-fields.tsx'
import { formOfDraft, type Plan, type PlanForm, sentOf } from './plan-form.ts'
import { ObstacleNotice, useObstacles } from './plan-notices.tsx'
import { consequenceText } from './plan-words.ts'
import { ProofField } from './proof-field.tsx'
import { RefusedNotice } from './refused-notice.tsx'
import { usePlan } from './use-plan.ts'
import { usePlanSaving } from './use-plan-saving.ts'

interface PlanEditorProps {
  at: ConfigRef
  flag: TargetedFlag
  config: SavedConfig
  environment: Environment
  metrics: readonly Metric[]
  start: PlanForm
  draft: RolloutDetail | undefined
  onClose: () => void
}

/** The whole plan in one dialog. It is a draft until it starts. */
export function PlanEditor(props: PlanEditorProps) {
  const { at, config, environment, metrics, start, draft, onClose } = props
  const body = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  const planned = usePlan({ at, config, metrics, start })
  const { form, plan, forecast, pool } = planned
  const [isChecked, setChecked] = useState(false)
  const obstacles = useObstacles(planned, { config, environment })
  const isStartable = obstacles.found.length === 0
  const saving = usePlanSaving({
    at,
    draft,
    onDone: (rollout, isStarted) => {
      showToast({ text: isStarted ? `Rollout of ${at.flag} started.` : 'Draft saved.' })
      onClose()
      void navigate({
        to: '/p/$project/rollouts/$rollout',
        params: { project: at.project, rollout: rollout.id },
      })
    },
  })
  const problem = saving.error && toProblem(saving.error)
  const betterOf = new Map(metrics.map(({ key, better }) => [key, better]))
  const needsReason = environment.protected
  const missing = findFaults(form, plan, {
    pool,
    needsReason,
    better: (metric) => betterOf.get(metric) ?? 'lower',
  })
  const isSound = missing.every(({ pointer }) => pointer === '/reason')
  const faults = [...(isChecked ? missing : []), ...(problem?.errors ?? [])]

  function edit(part: Partial<PlanForm>) {
    planned.setForm((now) => ({ ...now, ...part }))
    saving.forget()
  }
  function save(isStarted: boolean) {
    setChecked(true)
    if (missing.length > 0) return focusFault(body)
    if (saving.isSaving) return
    saving.save({ plan: sentOf(form, plan), isStarted }, { onError: () => focusFault(body) })
  }

  return (
    <Dialog
      title={draft ? `Edit draft for ${at.flag}` : `Start a guarded rollout of ${at.flag}`}
      description={`In ${environment.name}. No user is affected until it starts.`}
      size="wide"
      onClose={onClose}
      onSubmit={() => save(isStartable)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isStartable && (
            <Button busy={saving.isSaving} onClick={() => save(false)}>
              Save draft
            </Button>
          )}
          <Button type="submit" look="primary" busy={saving.isSaving}>
            {isStartable ? `Start in ${environment.name}` : 'Save draft'}
          </Button>
        </>
      }
    >
      <div ref={body} className="grid min-w-0 gap-16">
        {problem && (
          <RefusedNotice
            problem={problem}
            isKept={saving.isKept && draft === undefined}
            onTake={(theirs) => {
              planned.setForm(formOfDraft(theirs))
              saving.adopt({ id: theirs.id, turn: theirs.turn })
              saving.forget()
            }}
          />
        )}
        {start.proves !== undefined && (
          <ProofField of={start.proves} form={form} fault={faultUnder(faults, '/proves')} onForm={edit} />
        )}
        <PlanFields {...props} planned={planned} faults={faults} isSound={isSound} onForm={edit} />
        <PlanBackTest at={at} form={form} plan={plan} isSound={isSound} />
        <ObstacleNotice obstacles={obstacles} />
        {isStartable && (
          <Notice
            tone="info"
            title="On start"
            detail={consequenceText({ treatment: form.treatment, plan, where: environment.name }, forecast)}
          />
        )}
        <TextArea
          label={needsReason ? 'Reason' : 'Reason (optional)'}
          hint="Shown in the report and the history."
          value={form.reason}
          fault={faultUnder(faults, '/reason')}
          onChange={(event) => edit({ reason: event.currentTarget.value })}
          maxLength={limits.descriptionLength}
          rows={2}
        />
      </div>
    </Dialog>
  )
}

type PlanBackTestProps = {
  at: ConfigRef
  form: PlanForm
  plan: Plan
  /** It has no faults. */
  isSound: boolean
}

/** Back-tests the plan as edited, before anything is saved. */
function PlanBackTest({ at, form, plan, isSound }: PlanBackTestProps) {
  const { reason: _reason, proves: _proves, ...tried } = sentOf(form, plan)
  const testing = useBackTest({ place: at, plan: tried })
  return (
    <details className="group min-w-0">
      <summary className="w-fit cursor-pointer rounded-control py-4 font-medium">Back-test</summary>
      <div className="pt-6">
        {isSound || testing.state.phase !== 'idle' ? (
          <BackTestView testing={testing} plan={{ ...plan, alpha: form.alpha ?? usualAlpha }} />
        ) : (
          <p className="text-text-2">Fix the marked fields in the plan first.</p>
        )}
      </div>
    </details>
  )
}
