// One line about an alert, for mail and chat messages.

import { fieldDefinition, fieldMeasures, type NumericField } from '../query/filter-fields.ts'
import type { AlertCondition } from './judge-measure.ts'

/** The measure determines how its numbers are formatted. */
interface Measured {
  measure: string
  field?: NumericField
}

interface AlertFacts {
  name: string
  query: Measured
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

export function firingText(reported: AlertFacts): string {
  return `${reported.name}: ${valueText(reported)} over ${spans[reported.window] ?? reported.window}, ${boundText(reported)}`
}

export function recoveredText({ name, query, value }: Pick<AlertFacts, 'name' | 'query' | 'value'>): string {
  return value === null ? `${name} has data again` : `${name} is back to normal: ${numberText(value, query)}`
}

export const noDataText = ({ name, why }: { name: string; why: string }) =>
  `${name} has no data: ${whyTexts[why] ?? why}`

export const whyTexts: Readonly<Record<string, string>> = {
  'no-events': 'no events',
  'too-few-events': 'too few events',
  'nothing-before': 'no baseline',
  'engine-down': 'the telemetry engine is unavailable',
  late: 'telemetry arrives late',
  'too-large': 'the query is too large',
  failed: 'the query failed',
}

function valueText({ query, condition, value, change }: AlertFacts): string {
  if (value === null) return 'no value'
  const text = numberText(value, query)
  if (condition.kind === 'threshold') return text
  return change === null ? `${text} (no baseline)` : `${text} (${percent(change)})`
}

function boundText({ condition, query }: AlertFacts): string {
  if (condition.kind === 'threshold') return `${condition.is} ${numberText(condition.value, query)}`
  const by = percent(condition.is === 'above' ? condition.by : -condition.by)
  return `${condition.is} ${by} vs ${condition.against === 'week' ? 'the same window last week' : 'the previous window'}`
}

/** With its unit: a bare "p75 of 4000" is hard to read. */
function numberText(value: number, { measure, field }: Measured): string {
  if (measure === 'share') return `${short(value * 100)}%`
  const unit = field !== undefined && fieldMeasures.has(measure) ? fieldDefinition(field).unit : undefined
  return unit === undefined ? short(value) : `${short(value)} ${unit}`
}

const short = (value: number) => String(Number(value.toPrecision(4)))
const percent = (share: number) => `${share < 0 ? '\u2212' : '+'}${short(Math.abs(share) * 100)}%`
