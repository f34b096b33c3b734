// Completes the draft of an experiment and reports every fault.

import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { type Fault, problem } from '@telltale/core/errors'
import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import type { PlannedGoal } from '../../platform/engines/postgres/experiment-schema.ts'
import { serveAt } from '../rollouts/split-of.ts'

export interface GivenGoals {
  place?: string | undefined
  control?: string | undefined
  goals: readonly PlannedGoal[]
}

export interface CheckedGoals {
  place: string
  control: string
  goals: PlannedGoal[]
  /** Of the split. */
  by: string
  arms: { variation: string; weight: number }[]
}

interface Grounds {
  config: FlagConfigDraft
  definitions: readonly MetricDefinition[]
}

/** Throws `invalid-experiment` with every fault. */
export function checkGoals(given: GivenGoals, { config, definitions }: Grounds): CheckedGoals {
  const place = given.place ?? 'fallthrough'
  const serve = serveAt(config, place)
  const split = serve !== undefined && 'split' in serve ? serve.split : undefined
  const arms = (split ?? []).filter(({ weight }) => weight > 0)
  const usual = arms.find(({ variation }) => variation === config.offVariation) ?? arms[0]
  const control = given.control ?? usual?.variation ?? ''

  const faults: Fault[] = []
  if (serve === undefined) faults.push({ pointer: '/place', message: 'The rule does not exist.' })
  else if (arms.length < 2)
    faults.push({ pointer: '/place', message: 'It serves one variation: split it first.' })
  else if (!arms.some(({ variation }) => variation === control))
    faults.push({ pointer: '/control', message: 'The split does not serve it.' })
  faults.push(...faultsOfGoals(given.goals, definitions))
  if (faults.length > 0) throw problem('invalid-experiment', { errors: faults })

  const by = serve !== undefined && 'split' in serve ? (serve.by ?? 'targetingKey') : 'targetingKey'
  return { place, control, goals: [...given.goals], by, arms }
}

function faultsOfGoals(goals: readonly PlannedGoal[], definitions: readonly MetricDefinition[]): Fault[] {
  return goals.flatMap(({ metric }, index): Fault[] => {
    const pointer = `/goals/${index}/metric`
    if (!definitions.some(({ key }) => key === metric))
      return [{ pointer, message: `There is no metric "${metric}".` }]
    const isTwice = goals.findIndex((other) => other.metric === metric) < index
    return isTwice ? [{ pointer, message: 'It is already a goal.' }] : []
  })
}
