// Faults that prevent saving a plan, at the pointers that the server would use.

import { limits } from '@telltale/core/limits'
import type { Fault } from '../../../api/problem.ts'
import { percent, spanText } from '../rollout-words.ts'
import type { Plan, PlanForm } from './plan-form.ts'

interface Grounds {
  /** Share of both variations together. */
  pool: number
  /** A reason is required here. */
  needsReason: boolean
  better: (metric: string) => 'lower' | 'higher'
}

export function findFaults(form: PlanForm, plan: Plan, { pool, needsReason, better }: Grounds): Fault[] {
  return [
    ...(form.by.trim() === '' ? [{ pointer: '/by', message: 'Enter a unit.' }] : []),
    ...faultsOfPlan(plan, { pool, better }),
    ...(needsReason && form.reason.trim() === '' ? [{ pointer: '/reason', message: 'Enter a reason.' }] : []),
  ]
}

/** Of stages, time and metrics alone. */
export function faultsOfPlan(plan: Plan, { pool, better }: Pick<Grounds, 'pool' | 'better'>): Fault[] {
  return [
    ...plan.stages.flatMap((_, index) => faultsOfStage(plan, index, pool)),
    ...(plan.stages.length === 0 ? [{ pointer: '/stages', message: 'Add a stage.' }] : []),
    ...faultsOfTime(plan.timeBox),
    ...plan.metrics.flatMap(({ metric, limit }, index) => {
      const message = faultOfLimit(limit, better(metric))
      return message === undefined ? [] : [{ pointer: `/metrics/${index}/limit`, message }]
    }),
    ...(plan.metrics.length === 0 ? [{ pointer: '/metrics', message: 'Choose at least one metric.' }] : []),
  ]
}

function faultsOfStage({ stages }: Plan, index: number, pool: number): Fault[] {
  const stage = stages[index]
  if (stage === undefined) return []
  const at = (part: string, message: string | undefined) =>
    message === undefined ? [] : [{ pointer: `/stages/${index}/${part}`, message }]
  const before = stages[index - 1]?.weight ?? 0
  return [
    ...at('weight', faultOfWeight(stage.weight, before, pool)),
    ...at('minDuration', isSpan(stage.minDuration, 0) ? undefined : spanFault),
    ...at('minUnits', isUnits(stage.minUnits) ? undefined : 'Enter a whole number of users.'),
  ]
}

function faultOfWeight(weight: number, before: number, pool: number): string | undefined {
  if (Number.isNaN(weight) || weight < 1) return 'Enter a percentage from 0.001, with at most three decimals.'
  if (weight > pool) return `Must be at most ${percent(pool)}, the share of both variations.`
  return weight <= before ? `Must be above the previous stage (${percent(before)}).` : undefined
}

const spanFault = `Must be at most ${spanText(limits.rolloutStageLongest)}.`

function isSpan(span: number, from: number): boolean {
  return span >= from && span <= limits.rolloutStageLongest
}

function isUnits(units: number): boolean {
  return Number.isInteger(units) && units >= 0 && units <= mostUnits
}

const mostUnits = 1_000_000_000
const minute = 60_000

function faultsOfTime(timeBox: number): Fault[] {
  if (isSpan(timeBox, minute)) return []
  return [{ pointer: '/timeBox', message: `Enter at least one minute. ${spanFault}` }]
}

function faultOfLimit(limit: number, better: 'lower' | 'higher'): string | undefined {
  if (Number.isNaN(limit) || limit <= 0) return 'Enter a percentage above 0.'
  if (limit > 10) return 'Must be at most 1,000%.'
  return better === 'higher' && limit >= 1 ? 'Must be below 100%.' : undefined
}

/** Of a field, or of a part of it. */
export function faultUnder(faults: readonly Fault[], pointer: string): string | undefined {
  return faults.find((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))?.message
}
