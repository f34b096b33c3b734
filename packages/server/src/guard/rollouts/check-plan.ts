// Completes a plan before it starts: fills in defaults and reports every fault.

import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type { RolloutTemplate } from '@telltale/core/contract/rollout-templates'
import type { createRollout, updateRollout } from '@telltale/core/contract/rollouts'
import { type Fault, problem } from '@telltale/core/errors'
import { poolOf } from '@telltale/core/evaluation/stage-weights'
import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import { faultsOfMetrics, faultsOfStages } from '@telltale/core/guard/plan-faults'
import { stagesInPool } from '@telltale/core/guard/template-stages'
import { usualAlpha, usuallyGuarded, usualStages } from '@telltale/core/guard/usual-plan'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import type { PlannedMetric, RolloutDraft } from '../../platform/engines/postgres/rollout-schema.ts'
import type { FlagRow } from '../../release/flags/queries.ts'
import { serveAt } from './split-of.ts'

/** With the template itself in place of its key. */
type GivenRollout = Omit<
  Static<typeof createRollout.body>,
  'reason' | 'template' | 'proves' | 'onSliceHarm' | 'sliceAttribute'
> &
  Partial<Pick<Static<typeof updateRollout.body>, 'reason'>> & {
    onSliceHarm?: RolloutDraft['onSliceHarm']
    sliceAttribute?: string | null | undefined
  }

interface CheckedRollout {
  place: string
  control: string
  treatment: string
  by: string
  draft: RolloutDraft
}

interface Grounds {
  flag: Pick<FlagRow, 'variations'>
  config: FlagConfigDraft
  definitions: readonly MetricDefinition[]
  /** The account responsible for shipping an undecided rollout. */
  author: string
  /** What a plan has where the given one says nothing. */
  template?: RolloutTemplate | undefined
}

/** Throws `invalid-rollout` with every fault. */
export function checkPlan(given: GivenRollout, grounds: Grounds): CheckedRollout {
  const { flag, config, definitions, author, template } = grounds
  const place = given.place ?? 'fallthrough'
  const serve = serveAt(config, place)
  const arms =
    serve === undefined ? [] : 'split' in serve ? serve.split : [{ ...serve, weight: limits.weightTotal }]
  const control = given.control ?? heaviestBut(arms, given.treatment) ?? ''
  const { treatment } = given
  const unit = serve !== undefined && 'split' in serve ? (serve.by ?? 'targetingKey') : undefined
  const by = given.by ?? unit ?? 'targetingKey'
  const pool = poolOf(arms, { control, treatment })
  const stages = given.stages ?? (template ? stagesInPool(template.stages, pool) : usualStages(pool))
  const metrics = given.metrics ?? template?.metrics ?? usualMetrics(definitions)

  const faults: Fault[] = []
  const fault = (pointer: string, message: string) => faults.push({ pointer, message })
  const has = (variation: string) => flag.variations.some(({ key }) => key === variation)
  if (serve === undefined) fault('/place', 'The rule does not exist.')
  if (!has(treatment)) fault('/treatment', `The flag has no variation "${treatment}".`)
  if (control === treatment) fault('/treatment', 'All users already have it.')
  else if (!arms.some(({ variation }) => variation === control))
    fault('/control', 'This rule does not serve it.')
  if (unit !== undefined && by !== unit) fault('/by', `The split buckets on "${unit}".`)
  faults.push(...faultsOfStages(stages, pool), ...faultsOfMetrics(metrics, definitions))
  if (faults.length > 0) throw problem('invalid-rollout', { errors: faults })

  const whenUndecided = given.whenUndecided ?? template?.whenUndecided ?? 'hold'
  return {
    place,
    control,
    treatment,
    by,
    draft: {
      stages,
      metrics,
      alpha: given.alpha ?? template?.alpha ?? usualAlpha,
      timeBox: given.timeBox ?? template?.timeBox ?? limits.guardTimeBox,
      whenUndecided,
      ...((given.freshDraw ?? template?.freshDraw) === true && { freshDraw: true }),
      // Only the author can take responsibility for shipping it.
      ...(whenUndecided === 'ship' && { shippedBy: author }),
      ...(given.onSliceHarm === 'narrow' && { onSliceHarm: 'narrow', ...attributeOf(given) }),
    },
  }
}

const attributeOf = ({ sliceAttribute }: GivenRollout) => (sliceAttribute == null ? {} : { sliceAttribute })

function heaviestBut(arms: readonly { variation: string; weight: number }[], treatment: string) {
  return arms
    .filter(({ variation }) => variation !== treatment)
    .toSorted((a, b) => b.weight - a.weight)
    .at(0)?.variation
}

const usuallyRequired = new Set(['users-with-an-error'])

function usualMetrics(definitions: readonly MetricDefinition[]): PlannedMetric[] {
  return definitions
    .filter(({ key }) => usuallyGuarded.has(key))
    .map(({ key, limit }) => ({
      metric: key,
      limit,
      role: usuallyRequired.has(key) ? 'required' : 'watched',
      onRegression: 'roll-back',
    }))
}
