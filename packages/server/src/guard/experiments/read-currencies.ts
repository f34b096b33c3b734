// Which currencies the values of own events come in. Values in several currencies have no total and no mean, so a goal over
// them gets no number.

import type { GoalResult } from '@telltale/core/contract/experiments'
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import type { JudgedMetric, Method } from '@telltale/core/guard/metric-method'
import type { Services } from '../../platform/services.ts'
import { conditionsOf } from '../evidence/own-events.ts'
import { type ComparedArms, questionOfSplit } from '../evidence/split-question.ts'

const most = 5

/** Of each goal, the different values of the attribute `currency`, at most five; empty for goals without values. */
export async function readCurrencies(
  telemetry: Services['telemetry'],
  arms: ComparedArms,
  goals: readonly Pick<JudgedMetric, 'method'>[],
): Promise<string[][]> {
  const question = questionOfSplit(telemetry, arms)
  const { bind } = question
  const counted = goals.map(({ method }) => {
    const event = hasValues(method) ? readEventMeasure(method.measure) : undefined
    return event && { event: event.event, condition: conditionsOf(event, bind).join(' AND ') }
  })
  const known = counted.filter((one) => one !== undefined)
  if (known.length === 0) return goals.map(() => [])
  const names = [...new Set(known.map(({ event }) => event))]
  const currency = `attrs[${bind('currency', 'String')}]`
  const each = known.map(({ condition }) => `arraySort(groupUniqArrayIf(${most})(${currency}, ${condition}))`)
  const [row] = await question.read<{ found: string[][] }>(
    `SELECT [${each.join(', ')}] AS found
    FROM ${question.eventsOf("kind = 'custom'", `name IN ${bind(names, 'Array(String)')}`, `${currency} != ''`)}`,
  )
  const found = [...(row?.found ?? [])]
  return counted.map((one) => (one === undefined ? [] : (found.shift() ?? [])))
}

const hasValues = (method: Method) =>
  method.kind === 'mean' ||
  method.kind === 'quantile' ||
  (method.kind === 'total' && method.sums === 'values')

/** More data does not help: the metric needs a filter. */
export function withoutMixed(
  goals: readonly GoalResult[],
  currencies: readonly (readonly string[])[],
): GoalResult[] {
  return goals.map((goal, index): GoalResult => {
    const found = [...(currencies[index] ?? [])]
    if (found.length < 2) return { ...goal, currencies: found }
    const nothing = { values: null, change: null, saved: null, quality: null }
    return { ...goal, ...nothing, currencies: found, verdict: 'collecting', missing: 'mixed-currencies' }
  })
}
