// One line about an alert, for people who read it in a mail or a chat.

import type { AlertCondition } from './judge-measure.ts'

interface Told {
  name: string
  condition: AlertCondition
  window: string
  value: number | null
  change: number | null
}

const spans: Readonly<Record<string, string>> = {
  '1m': 'the last minute',
  '5m': 'the last 5 minutes',
  '15m': 'the last 15 minutes',
  '1h': 'the last hour',
  '3h': 'the last 3 hours',
  '6h': 'the last 6 hours',
  '1d': 'the last day',
}

export function firingText(told: Told): string {
  return `${told.name}: ${valueText(told)} over ${spans[told.window] ?? told.window}, ${boundText(told.condition)}`
}

export function recoveredText({ name, value }: Pick<Told, 'name' | 'value'>): string {
  return value === null ? `${name} has data again` : `${name} is back to normal: ${short(value)}`
}

export const noDataText = ({ name, why }: { name: string; why: string }) =>
  `${name} has nothing to judge by: ${whyTexts[why] ?? why}`

export const whyTexts: Readonly<Record<string, string>> = {
  'no-events': 'no events',
  'too-few-events': 'too few events',
  'nothing-before': 'nothing to compare with',
  'engine-down': 'the telemetry engine is away',
  late: 'telemetry arrives late',
  'too-large': 'the question is too large',
  failed: 'the question could not be answered',
}

function valueText({ condition, value, change }: Told): string {
  if (value === null) return 'no value'
  if (condition.kind === 'threshold') return short(value)
  return change === null ? `${short(value)} after nothing` : `${short(value)} (${percent(change)})`
}

function boundText(condition: AlertCondition): string {
  if (condition.kind === 'threshold') return `${condition.is} ${short(condition.value)}`
  const by = percent(condition.is === 'above' ? condition.by : -condition.by)
  return `${condition.is} ${by} against ${condition.against === 'week' ? 'a week before' : 'the time before'}`
}

const short = (value: number) => String(Number(value.toPrecision(4)))
const percent = (share: number) => `${share < 0 ? '\u2212' : '+'}${short(Math.abs(share) * 100)}%`
