// One row per user with their units (1, or sessions) and what these have of the event, as SQL.

import type { QueryOf } from '@telltale/core/contract/call'
import type { measureRates } from '@telltale/core/contract/rates'
import type { FieldRef, Filter } from '@telltale/core/query/filter'
import type { Question } from '../explore/question.ts'
import { renderGroup } from '../explore/render-filter.ts'
import { renderStep } from '../funnels/conditions.ts'

type Query = QueryOf<typeof measureRates>

export interface RatesQuery {
  kind: Query['kind']
  event: Filter
  unit: 'user' | 'session'
  measure: 'share' | 'mean'
  by: FieldRef | undefined
}

/** A condition on an event that counts. */
function isCounted(question: Question, { kind, event }: RatesQuery): string {
  const ofKind = kind === undefined ? '1' : `kind = ${question.bind(kind, 'String')}`
  return `(${ofKind} AND ${renderStep(question, event)})`
}

/** Users are those of all screens; events of servers have no session. */
const belongs = (unit: RatesQuery['unit']) =>
  unit === 'user' ? 'user_hash != 0' : 'user_hash != 0 AND notEmpty(session_id)'

/** What a user, or a session, adds to y. */
const ownOf = (measure: RatesQuery['measure']) =>
  measure === 'share' ? 'toFloat64(hits > 0)' : 'toFloat64(hits)'

/** `value_`, `unit`, `n`, `y` and `hits`: one row per value and user. */
export function renderUsers(question: Question, query: RatesQuery): string {
  const { unit, measure, by } = query
  const value = by === undefined ? "''" : `toString(${renderGroup(by, question)})`
  const rows = question.groupable(by === undefined ? [] : [by], question.events(belongs(unit)))
  const perUnit = `SELECT ${value} AS value_, user_hash AS unit, countIf(${isCounted(question, query)}) AS hits
    FROM ${rows} GROUP BY value_, unit${unit === 'session' ? ', session_id' : ''}`
  return `(SELECT value_, unit, toFloat64(count()) AS n, sum(${ownOf(measure)}) AS y, sum(hits) AS found
    FROM (${perUnit}) GROUP BY value_, unit)`
}

interface Sides {
  /** Of an event, as SQL: 1 for the first side, 0 for the other, 2 for neither. */
  arm: string
  /** Milliseconds by which the time of the second side is moved, so that hours correspond. */
  shift: number
  hasCountry: boolean
}

/** `stratum`, `arm`, `unit`, `n` and `y`: a user or session belongs to the hour and country of its first event. */
export function renderStrata(question: Question, query: RatesQuery, sides: Sides): string {
  const { unit, measure, by } = query
  const at =
    sides.shift === 0 ? 'ts' : `if(arm = 1, ts, ts + toIntervalMillisecond(${Math.round(sides.shift)}))`
  const rows = question.groupable(by === undefined ? [] : [by], question.events(belongs(unit)))
  const country = sides.hasCountry ? 'toString(argMin(place, ts))' : "''"
  const perUnit = `SELECT arm, unit, (toStartOfHour(min(at)), ${country}) AS stratum, countIf(counts) AS hits
    FROM (SELECT arm, unit, session_id, place, ts, ${at} AS at, counts FROM (
      SELECT toUInt8(${sides.arm}) AS arm, user_hash AS unit, session_id, country AS place, ts, ${isCounted(question, query)} AS counts FROM ${rows}) WHERE arm < 2)
    GROUP BY arm, unit${unit === 'session' ? ', session_id' : ''}`
  return `(SELECT stratum, arm, unit, toFloat64(count()) AS n, sum(${ownOf(measure)}) AS y FROM (${perUnit})
    GROUP BY stratum, arm, unit)`
}
