// Aggregates of web vitals, the same on every screen: percentiles of the recorded values, and shares by the
// boundaries.

import { vitalNames } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { type VitalName, vitalBoundaries } from '@telltale/core/telemetry/vitals'
import type { Question } from './question.ts'
import { sampleOf } from './sample.ts'

/** Rounds a 32-bit number to four decimals, which restores the decimal value as written. */
export const rounded = (expression: string) => `round(toFloat64(${expression}), 4)`

/** Null if there are too few values. */
export function percentile(level: number, value: string): string {
  return `if(count() < ${limits.percentileMinimum}, NULL, ${rounded(`quantileExact(${level})(${value})`)})`
}

/** Several at once: the engine keeps the values once, because the expressions are the same. */
export function percentiles(levels: readonly number[], value: string): string[] {
  const all = `quantilesExact(${levels.join(', ')})(${value})`
  return levels.map(
    (_, place) =>
      `if(count() < ${limits.percentileMinimum}, NULL, ${rounded(`arrayElement(${all}, ${place + 1})`)})`,
  )
}

/** The same for the rows that meet a condition. */
export function percentileIf(level: number, value: string, condition: string): string {
  return `if(countIf(${condition}) < ${limits.percentileMinimum}, NULL, ${rounded(`quantileExactIf(${level})(${value}, ${condition})`)})`
}

const boundary = (which: 0 | 1) =>
  `multiIf(${vitalNames.map((name) => `name = '${name}', toFloat32(${vitalBoundaries[name][which]})`).join(', ')}, toFloat32(0))`

export const isGood = `value <= ${boundary(0)}`
export const isPoor = `value > ${boundary(1)}`

/** For rows of kind `vital`, grouped by name. */
export const vitalColumns = (
  question: Question,
) => `toString(name) AS vital, count() * ${sampleOf(question)} AS count, ${percentile(0.75, 'value')} AS p75,
  ${rounded(`sumIf(weight, ${isGood}) / sum(weight)`)} AS good, ${rounded(`sumIf(weight, ${isPoor}) / sum(weight)`)} AS poor`

export interface VitalsRow {
  vital: string
  count: string
  p75: number | null
  good: number | null
  poor: number | null
}

export interface Vital {
  name: VitalName
  count: number
  p75: number | null
  good: number | null
  poor: number | null
}

/** All five in fixed order, including those without values. */
export function toVitals(rows: readonly VitalsRow[]): Vital[] {
  return vitalNames.map((name) => {
    const row = rows.find(({ vital }) => vital === name)
    return row === undefined
      ? { name, count: 0, p75: null, good: null, poor: null }
      : { name, count: Number(row.count), p75: row.p75, good: row.good, poor: row.poor }
  })
}
