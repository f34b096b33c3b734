// Completes the draft of an experiment and reports every fault.

import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { type Fault, problem } from '@telltale/core/errors'
import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import { canHaveWindow } from '@telltale/core/guard/experiment/judged-goal'
import { limits } from '@telltale/core/limits'
import { parseSequence } from '@telltale/core/query/filter'
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
  return goals.flatMap(({ metric, window, funnel }, index): Fault[] => {
    const pointer = `/goals/${index}/metric`
    const definition = definitions.find(({ key }) => key === metric)
    const isTwice = goals.findIndex((other) => other.metric === metric) < index
    if (isTwice) return [{ pointer, message: 'It is already a goal.' }]
    if (funnel !== undefined) {
      const taken = definition && { pointer, message: 'It is the key of a metric: choose another one.' }
      return [...(taken ? [taken] : []), ...faultsOfFunnel(funnel.steps, window, `/goals/${index}`)]
    }
    if (definition === undefined) return [{ pointer, message: `There is no metric "${metric}".` }]
    if (window === undefined || canHaveWindow(definition.method)) return []
    const message = 'Only shares of users and totals per user can have a window.'
    return [{ pointer: `/goals/${index}/window`, message }]
  })
}

function faultsOfFunnel(steps: string, window: number | undefined, pointer: string): Fault[] {
  const parsed = parseSequence(steps, limits.funnelSteps)
  const faults = parsed.ok
    ? parsed.result.length < 2
      ? ['A funnel needs at least two steps.']
      : []
    : parsed.faults.map(({ at, message }) => `at character ${at + 1}: ${message}`)
  return [
    ...faults.map((message) => ({ pointer: `${pointer}/funnel/steps`, message })),
    ...(window === undefined ? [{ pointer: `${pointer}/window`, message: 'A funnel needs a window.' }] : []),
  ]
}
