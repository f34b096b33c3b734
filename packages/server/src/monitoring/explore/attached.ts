// Conditions on what is attached to sessions besides their events: recordings and profiles that are still kept.

import { limits } from '@telltale/core/limits'
import type { Chip } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { type Bind, compare } from './conditions.ts'

interface Period {
  from: number
  to: number
}

const day = 86_400_000
const dateOf = (at: number) => new Date(Math.max(0, at)).toISOString().slice(0, 10)

/** Rows attached to sessions that were active in the period, by day. */
function rowsIn(table: string, { from, to }: Period, bind: Bind): string {
  const [first, last] = [from - limits.monitoredSessionMaximum, to + day].map((at) =>
    bind(dateOf(at), 'Date'),
  )
  return `FROM ${table} WHERE environment_id = {environment:UUID} AND day >= ${first} AND day <= ${last}`
}

/** One row for each recorded session: `recorded_from`, `recorded_to`, and whether it is kept. */
export function recordedSessions(period: Period, bind: Bind): string {
  return `SELECT session_id, min(started) AS recorded_from, max(ended) AS recorded_to, max(k) AS is_kept FROM (
    SELECT session_id, started, ended, 0 AS k ${rowsIn('replay_segments', period, bind)}
    UNION ALL SELECT session_id, started, ended, 1 AS k ${rowsIn('replay_kept', period, bind)}) GROUP BY session_id`
}

const attachments: Partial<Record<FieldName, string>> = { kept: 'replay_kept', profile: 'profile_blobs' }

/** Whether the session has one; undefined for any other field. */
export function renderAttached(field: FieldName, period: Period, bind: Bind): string | undefined {
  const table = attachments[field]
  return table && `session_id GLOBAL IN (SELECT session_id ${rowsIn(table, period, bind)})`
}

/** A condition on sessions or their events; undefined for a chip of any other field. */
export function renderAttachedChip(chip: Chip, period: Period, bind: Bind): string | undefined {
  if (chip.field === 'replay-length') {
    const length = 'toUnixTimestamp64Milli(recorded_to) - toUnixTimestamp64Milli(recorded_from)'
    return `session_id GLOBAL IN (SELECT session_id FROM (${recordedSessions(period, bind)}) WHERE ${compare([length], chip, bind)})`
  }
  const has = renderAttached(chip.field, period, bind)
  if (has === undefined || chip.operator === 'exists') return has && '1'
  return [...new Set(chip.values)]
    .map((value) => (value === 'true' ? `(${has})` : `NOT (${has})`))
    .join(' OR ')
}
