// The variations of a flag under which an event counts. A view has all variations evaluated in any of its
// events, and each event of the view counts under all of them: views, vitals, errors and requests share one
// denominator, so their rates are correct. An event without a view has only its own variations.

import { limits } from '@telltale/core/limits'
import type { Chip } from '@telltale/core/query/filter'
import { type Bind, renderFlag } from './conditions.ts'

export interface FlagScope {
  from: number
  to: number
  /** The condition on the session, if only events of one session are read, regardless of the period. */
  ofSession?: string
}

const day = 86_400_000
const environment = 'environment_id = {environment:UUID}'
const dateOf = (at: number) => new Date(Math.max(0, at)).toISOString().slice(0, 10)

/** A view across an end of the period also has the variations of its part outside. */
function inScope({ from, to, ofSession }: FlagScope, bind: Bind): string {
  if (ofSession !== undefined) return ofSession
  const [first, last] = [from - limits.monitoredSessionMaximum, to + limits.monitoredSessionMaximum]
  return `day >= ${bind(dateOf(first), 'Date')} AND day <= ${bind(dateOf(Math.min(last, 50_000 * day)), 'Date')}`
}

/** A condition on events. The event's own variations are among those of its view. */
export function renderViewFlag(chip: Chip, scope: FlagScope, bind: Bind): string {
  const read = `SELECT view_id FROM view_flags WHERE ${environment} AND ${inScope(scope, bind)} AND ${renderFlag('flags', chip, bind)}`
  return `(view_id GLOBAL IN (${read}) OR ${renderFlag('flags', chip, bind)})`
}

interface VariationColumns {
  /** The name of the column, by flag. */
  columns: ReadonlyMap<string, string>
  scope: FlagScope
  bind: Bind
  /** Whether the rows are a small part of the views in the scope. */
  isSampled: boolean
}

/**
 * Events with the variation of each flag as a column, for FROM: one row for each variation of their view, or
 * one row with an empty variation.
 */
export function withVariations(rows: string, { columns, scope, bind, isSampled }: VariationColumns): string {
  const flags = [...columns].map(([flag, column]) => ({ column, prefix: bind(`${flag}=`, 'String') }))
  const hasPrefix = flags.map(({ prefix }) => `startsWith(x, ${prefix})`).join(' OR ')
  // Of a sample, most views are not among the rows: merging their variations would take most of the time.
  const among = isSampled ? `AND view_id GLOBAL IN (SELECT view_id FROM ${rows})` : ''
  const read = `SELECT view_id AS flagged_view, groupUniqArrayArray(arrayFilter(x -> ${hasPrefix}, flags)) AS view_pairs
    FROM view_flags WHERE ${environment} AND ${inScope(scope, bind)} ${among} AND arrayExists(x -> ${hasPrefix}, flags) GROUP BY view_id`
  const joined = flags.map(({ column, prefix }) => {
    const pairs = `arrayFilter(x -> startsWith(x, ${prefix}), if(notEmpty(view_pairs), view_pairs, CAST(flags, 'Array(String)')))`
    return `arrayJoin(if(empty(${pairs}), [''], arrayMap(x -> substring(x, length(${prefix}) + 1), ${pairs}))) AS ${column}`
  })
  return `(SELECT e.*, ${joined.join(', ')} FROM (SELECT * FROM ${rows}) AS e
    GLOBAL ANY LEFT JOIN (${read}) AS f ON e.view_id = f.flagged_view)`
}
