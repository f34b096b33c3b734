// How units are divided: by the variation of a flag that each was exposed to, or by a field of their first step.

import { problem } from '@telltale/core/errors'
import type { FieldRef } from '@telltale/core/query/filter'
import { asksForBots, variationOf } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { readGroups } from '../explore/read-groups.ts'
import { instant } from './conditions.ts'

export type Split = { flag: string; field?: never } | { field: FieldRef; flag?: never }

/** Throws `invalid-request` for a field that events cannot be grouped by. */
export function readSplit(by: string | undefined): Split | undefined {
  if (by === undefined) return undefined
  const [ref] = readGroups(by, { pointer: '?by', most: 1 })
  if (ref === undefined)
    throw problem('invalid-request', { errors: [{ pointer: '?by', message: 'names no field' }] })
  return ref.field === 'flag' ? { flag: ref.key } : { field: ref }
}

export interface Exposures {
  /** One row per unit: `unit`, `exposed_at`, and the variations `seen`. */
  units: string
  /** A condition on events: one of a view in which the flag was read. Views begin before their flags are read. */
  isInView: string
}

/** The exposures of the period, whatever the filter: it selects the steps. */
export function renderExposures(
  question: Question,
  flag: string,
  { column, condition }: { column: string; condition: string },
): Exposures {
  const { bind, filter, from, to } = question
  const rows = question.rowsOf(
    'events',
    "kind = 'exposure'",
    `name = ${bind(flag, 'String')}`,
    `ts >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    `ts < fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
    ...(asksForBots(filter) ? [] : ['bot = 0']),
  )
  const variation = `toString(${variationOf('flags', flag, bind)})`
  return {
    units: `SELECT ${column} AS unit, min(${instant}) AS exposed_at, groupUniqArray(${variation}) AS seen
      FROM ${rows} AND ${condition} AND ${variation} != '' GROUP BY unit`,
    isInView: `(notEmpty(view_id) AND view_id GLOBAL IN (SELECT view_id FROM ${rows}))`,
  }
}
