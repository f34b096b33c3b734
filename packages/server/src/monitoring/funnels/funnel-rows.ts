// One row per unit with the steps that it reached, as SQL.
//
// The events of a unit that match any step are ordered by time. Those of the same millisecond are in the order of the
// first step that each matches, so that a click and the event that it causes count as two steps. An event is one step
// only. A step is reached if it follows the previous one, and is within the window from the first; any earlier event may
// begin, so a later attempt can succeed. Each event is one number, which sorts as just said: time, first step, steps.

import type { FunnelUnit } from '@telltale/core/contract/funnels'
import type { Filter } from '@telltale/core/query/filter'
import type { Question } from '../explore/question.ts'
import { renderGroup } from '../explore/render-filter.ts'
import { instant, renderKinds, renderStep, renderUnit } from './conditions.ts'
import { renderExposures, type Split } from './split.ts'

export interface Funnel {
  steps: readonly Filter[]
  unit: FunnelUnit
  window: number
  split: Split | undefined
}

/** Bit 0: in a view of an exposure. From bit 1: the steps. Then the first step, and the time. */
const firstStepBit = 11
const timeBit = 15

interface Wanted {
  /** The last step that is needed, counted from 1. Default: all. */
  upTo?: number
  /** With the session of every event, for lists of sessions. */
  withSessions?: boolean
}

/**
 * For FROM: `place_k` is where in `events` step k was reached first, 0 if it was not; `delay_k` is the time from the
 * previous step. With a split, `split_value` is its group; by a flag, `seen` are the variations.
 */
export function renderFunnel(
  question: Question,
  funnel: Funnel,
  { upTo, withSessions }: Wanted = {},
): string {
  return renderPlaces(question, renderUnits(question, funnel, withSessions), {
    last: upTo ?? funnel.steps.length,
    window: funnel.window,
    mayBegin: funnel.split?.flag === undefined ? undefined : `empty(seen) OR ${isExposed}`,
  })
}

/** A condition on an event: it follows `exposed_at`, or is in a view in which the flag was read. */
export const isExposed = `bitTest(event, 0) OR bitShiftRight(event, ${timeBit}) >= exposed_at`

interface Reached {
  /** The last step that is needed, counted from 1. */
  last: number
  window: number
  /** A condition on the event that begins. */
  mayBegin?: string | undefined
}

/** The same for rows of `unit` and their sorted `events`, each as of `renderEvent`. */
export function renderPlaces(
  { bind }: Pick<Question, 'bind'>,
  units: string,
  { last, window: windowLength, mayBegin }: Reached,
): string {
  const window = bind(windowLength, 'UInt64')
  const isBegin = mayBegin === undefined ? 'bitTest(event, 1)' : `bitTest(event, 1) AND (${mayBegin})`
  const begins = `arrayMap(event -> if(${isBegin}, bitShiftRight(event, ${timeBit}), 0), events)`
  let rows = `SELECT *, ${begins} AS starts_1, ${placeIn('starts_1')} AS place_1 FROM (${units})`
  for (let step = 2; step <= last; step++) {
    const before = `starts_${step - 1}`
    // For each event, the latest start from which the previous step was reached before it.
    const carried = `arrayPushFront(arrayPopBack(arrayFill(start -> start != 0, ${before})), toUInt64(0))`
    const reached = `arrayMap((event, start) -> if(start != 0 AND bitTest(event, ${step}) AND bitShiftRight(event, ${timeBit}) - start <= ${window}, start, 0), events, ${carried})`
    const previous = `arrayLastIndex(start -> start != 0, arraySlice(${before}, 1, place_${step} - 1))`
    rows = `SELECT *, ${reached} AS starts_${step}, ${placeIn(`starts_${step}`)} AS place_${step},
      if(place_${step} = 0, 0, ${timeOfEvent(`events[place_${step}]`)} - ${timeOfEvent(`events[${previous}]`)}) AS delay_${step} FROM (${rows})`
  }
  return `(${rows})`
}

const placeIn = (starts: string) => `arrayFirstIndex(start -> start != 0, ${starts})`
export const timeOfEvent = (event: string) => `toInt64(bitShiftRight(${event}, ${timeBit}))`

/** An event as one number: its time, the first step that it matches, and all of them. */
export function renderEvent(steps: readonly string[], isInView?: string): string {
  const mask = steps.map((step, index) => `if(${step}, ${2 ** (index + 1)}, 0)`).join(' + ')
  const first = steps.map((step, index) => `${step}, ${index}`).join(', ')
  const exposed = isInView === undefined ? '' : ` + if(${isInView}, 1, 0)`
  return `bitOr(bitOr(bitShiftLeft(${instant}, ${timeBit}), bitShiftLeft(toUInt64(multiIf(${first}, 0)), ${firstStepBit})), toUInt64(${mask}${exposed}))`
}

/** Units with the first step, and their events in order. */
function renderUnits(question: Question, { steps, unit, split }: Funnel, withSessions = false): string {
  const { column, condition } = renderUnit(unit)
  const conditions = steps.map((step) => renderStep(question, step))
  const exposures =
    split?.flag === undefined ? undefined : renderExposures(question, split.flag, { column, condition })
  const event = renderEvent(conditions, exposures?.isInView)
  const fields = split?.field === undefined ? [] : [split.field]
  const value = fields.map((field) => `, toString(${renderGroup(field, question)}) AS group_value`).join('')
  const rows = question.events(...renderKinds(steps), condition, `(${conditions.join(' OR ')})`)
  const ordered = withSessions
    ? 'arraySort(groupArray((event, session_id))) AS pairs, arrayMap(pair -> pair.1, pairs) AS events, arrayMap(pair -> pair.2, pairs) AS event_sessions'
    : 'arraySort(groupArray(event)) AS events'
  const units = `SELECT unit, ${ordered}${value === '' ? '' : ', tupleElement(minIf((event, group_value), bitTest(event, 1)), 2) AS split_value'}
    FROM (SELECT ${column} AS unit, session_id, ${event} AS event${value} FROM ${rows}) GROUP BY unit HAVING max(bitTest(event, 1)) = 1`
  if (exposures === undefined) return units
  return `SELECT u.*, x.exposed_at AS exposed_at, x.seen AS seen, if(length(x.seen) = 1, x.seen[1], '') AS split_value
    FROM (${units}) AS u GLOBAL ANY LEFT JOIN (${exposures.units}) AS x ON u.unit = x.unit`
}
