import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import type { ConfigRef, TargetedFlag } from '../../../api/flag-configs.ts'
import { identitiesQuery } from '../../../api/identities.ts'
import type { Metric } from '../../../api/metrics.ts'
import type { Fault } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox, Radio } from '../../../ui/form/choice.tsx'
import { suggestAttributes } from '../../../ui/form/suggest-attributes.ts'
import { Skeleton } from '../../../ui/states.tsx'
import { MetricFields } from './metric-fields.tsx'
import { faultUnder } from './plan-faults.ts'
import type { Plan, PlanForm } from './plan-form.ts'
import { SplitNotice, TrafficNotice } from './plan-notices.tsx'
import { SpanField } from './span-field.tsx'
import { StageFields } from './stage-fields.tsx'
import type { Planned } from './use-plan.ts'
import { WhatFields } from './what-fields.tsx'

type PlanFieldsProps = {
  at: ConfigRef
  flag: TargetedFlag
  metrics: readonly Metric[]
  planned: Planned
  faults: readonly Fault[]
  onForm: (part: Partial<PlanForm>) => void
}

/** The edited fields, and what the traffic of the site can decide. */
export function PlanFields({ flag, metrics, at, planned, faults, onForm }: PlanFieldsProps) {
  const { form, places, plan, pool, forecast, proposal, isOld, isEdited } = planned
  const identities = useInfiniteQuery(identitiesQuery(at, {}))
  const seen = identities.data
  const units = useMemo(() => suggestAttributes(seen?.pages.flatMap(({ items }) => items) ?? []), [seen])
  const isFirst = proposal.isLoading && form.stages === undefined
  return (
    <>
      <WhatFields flag={flag} places={places} form={form} faults={faults} units={units} onForm={onForm} />
      <SplitNotice planned={planned} />
      {isFirst ? (
        <Skeleton rows={6} label="Analysing your traffic" />
      ) : (
        <div
          aria-busy={isOld}
          className={`grid min-w-0 gap-16 transition-opacity duration-(--t2) ${isOld ? 'opacity-60' : ''}`}
        >
          <TrafficNotice planned={planned} />
          <StageFields
            plan={plan}
            pool={pool}
            forecast={forecast}
            faults={faults}
            onStages={(stages) => onForm({ stages })}
          />
          <MetricFields
            plan={plan}
            forecast={forecast}
            faults={faults}
            known={metrics}
            onMetrics={(next) => onForm({ metrics: next })}
          />
          <UndecidedFields form={form} plan={plan} faults={faults} onForm={onForm} />
          <Checkbox
            label="Reassign users"
            hint="Reassigns users to variations at the start, so effects of earlier rollouts of this flag don't carry over. Users may change variation once."
            checked={form.freshDraw}
            onChecked={(freshDraw) => onForm({ freshDraw })}
          />
          {isEdited && proposal.data && (
            <div>
              <Button
                icon="undo"
                onClick={() => onForm({ stages: undefined, metrics: undefined, timeBox: undefined })}
              >
                Use proposal
              </Button>
            </div>
          )}
        </div>
      )}
    </>
  )
}

type UndecidedProps = {
  form: PlanForm
  plan: Plan
  faults: readonly Fault[]
  onForm: (part: Partial<PlanForm>) => void
}

/** When a stage is not decided in its time. */
function UndecidedFields({ form, plan, faults, onForm }: UndecidedProps) {
  const id = useId()
  const fault = faultUnder(faults, '/timeBox')
  return (
    <div className="grid min-w-0 gap-8">
      <div className="flex min-w-0 flex-wrap items-center gap-8">
        <span className="font-medium">Stage time limit</span>
        <SpanField
          label="Stage time limit"
          span={plan.timeBox}
          isFaulty={fault !== undefined}
          describedBy={fault ? id : undefined}
          onSpan={(timeBox) => onForm({ timeBox })}
        />
      </div>
      {fault && (
        <p id={id} className="text-12 text-bad">
          {fault}
        </p>
      )}
      <Radio
        label="If undecided"
        choices={[
          { value: 'hold', label: 'Hold', hint: 'Stays at its percentage until a member decides.' },
          { value: 'revert', label: 'Roll back', hint: 'Everyone returns to the control.' },
          {
            value: 'ship',
            label: 'Continue at your own risk',
            hint: 'Accepts undecided metrics. A regression still stops the rollout.',
          },
        ]}
        value={form.whenUndecided}
        onValue={(whenUndecided) => onForm({ whenUndecided })}
      />
    </div>
  )
}
