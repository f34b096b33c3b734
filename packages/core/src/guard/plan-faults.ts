// What is wrong with stages and metrics of a plan, at the pointers of a request.

import type { Fault } from '../errors.ts'
import type { MetricDefinition } from './built-in-metrics.ts'

export function faultsOfStages(stages: readonly { weight: number }[], pool: number): Fault[] {
  return stages.flatMap(({ weight }, index): Fault[] => {
    const pointer = `/stages/${index}/weight`
    const before = stages[index - 1]?.weight ?? 0
    if (weight <= before) return [{ pointer, message: 'Each stage must be larger than the previous one.' }]
    return weight > pool ? [{ pointer, message: `Both variations have ${pool} together.` }] : []
  })
}

export function faultsOfMetrics(
  metrics: readonly { metric: string; limit: number }[],
  definitions: readonly Pick<MetricDefinition, 'key' | 'better'>[],
): Fault[] {
  return metrics.flatMap(({ metric, limit }, index): Fault[] => {
    const definition = definitions.find(({ key }) => key === metric)
    if (definition === undefined)
      return [{ pointer: `/metrics/${index}/metric`, message: `There is no metric "${metric}".` }]
    if (metrics.findIndex((other) => other.metric === metric) < index)
      return [{ pointer: `/metrics/${index}/metric`, message: 'It is already listed.' }]
    if (definition.better === 'higher' && limit >= 1)
      return [{ pointer: `/metrics/${index}/limit`, message: 'The limit must be below 100%.' }]
    return []
  })
}
