import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ConfigRef, TargetedFlag } from '../../../api/flag-configs.ts'
import { identitiesQuery } from '../../../api/identities.ts'
import type { Metric } from '../../../api/metrics.ts'
import type { Fault } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { suggestAttributes } from '../../../ui/form/suggest-attributes.ts'
import { Skeleton } from '../../../ui/states.tsx'
import { MetricFields } from './metric-fields.tsx'
import type { PlanForm } from './plan-form.ts'
import { SplitNotice, TrafficNotice } from './plan-notices.tsx'
import { SliceFields } from './slice-fields.tsx'
import { StageFields } from './stage-fields.tsx'
import { FromTemplate } from './template/from-template.tsx'
import { SaveTemplateButton } from './template/save-template.tsx'
import { ReassignField, UndecidedFields } from './undecided-fields.tsx'
import type { Planned } from './use-plan.ts'
import { WhatFields } from './what-fields.tsx'

type PlanFieldsProps = {
  at: ConfigRef
  flag: TargetedFlag
  metrics: readonly Metric[]
  planned: Planned
  faults: readonly Fault[]
  /** The plan has no faults. */
  isSound: boolean
  onForm: (part: Partial<PlanForm>) => void
}

const proposed = {
  stages: undefined,
  metrics: undefined,
  timeBox: undefined,
  alpha: undefined,
  template: '',
} as const

/** The edited fields, and what the traffic of the site can decide. */
export function PlanFields({ flag, metrics, at, planned, faults, isSound, onForm }: PlanFieldsProps) {
  const { form, places, plan, pool, forecast, proposal, isOld, isEdited } = planned
  const identities = useInfiniteQuery(identitiesQuery(at, {}))
  const seen = identities.data
  const units = useMemo(() => suggestAttributes(seen?.pages.flatMap(({ items }) => items) ?? []), [seen])
  const isFirst = proposal.isLoading && form.stages === undefined
  return (
    <>
      <WhatFields flag={flag} places={places} form={form} faults={faults} units={units} onForm={onForm} />
      <SplitNotice planned={planned} />
      <FromTemplate form={form} pool={pool} onForm={onForm} />
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
          <SliceFields form={form} onForm={onForm} />
          <ReassignField freshDraw={form.freshDraw} onForm={onForm} />
          <div className="flex flex-wrap gap-8">
            {isEdited && proposal.data && (
              <Button icon="undo" onClick={() => onForm(proposed)}>
                Use proposal
              </Button>
            )}
            <SaveTemplateButton form={form} plan={plan} pool={pool} isSound={isSound} />
          </div>
        </div>
      )}
    </>
  )
}
