// Measures an alert by the same bounded query as a screen. A failed measurement has a reason and never counts
// as healthy.

import { type Judgement, judgeMeasure, type WindowMeasure } from '@telltale/core/alerts/judge-measure'
import type { MeasureRule } from '@telltale/core/contract/alerts'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/query/filter'
import { stepLength } from '@telltale/core/query/time-buckets'
import { findSpoolLag } from '../../guard/looks/queries.ts'
import { explore } from '../../monitoring/explore/explore.ts'
import { findJoinedGroups, noJoinedGroups, widenIssues } from '../../monitoring/explore/joined-groups.ts'
import { namesIssues, readFilter } from '../../monitoring/explore/open-question.ts'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import { isUsable } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Services } from '../../platform/services.ts'

export type AlertServices = Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>

const week = 7 * 86_400_000

export interface Measured extends Omit<Judgement, 'why'> {
  value: number | null
  before: number | null
  events: number
  why: string | null
}

interface Place {
  environment: { id: string; timeZone: string }
  rule: MeasureRule
}

/** A question about the environment, over any period. */
export async function openAlertQuestion(
  { db, telemetry }: Pick<AlertServices, 'db' | 'telemetry'>,
  { environment, rule }: Place,
  period: { from: number; to: number },
): Promise<Question> {
  const { filter: text } = rule.query
  const filter = text === undefined ? emptyFilter : readFilter(text, '/rule/query/filter')
  const joined = namesIssues(rule.query) ? await findJoinedGroups(db, environment.id) : noJoinedGroups
  return ask(telemetry, {
    environmentId: environment.id,
    timeZone: environment.timeZone,
    ...period,
    filter: widenIssues(filter, joined),
    joined,
  })
}

/** The distance to the window of comparison. */
export function shiftOf({ condition, window }: MeasureRule): number | undefined {
  if (condition.kind === 'threshold') return undefined
  return condition.against === 'week' ? week : stepLength[window]
}

export async function measureWindow(services: AlertServices, place: Place): Promise<Measured> {
  const { db, telemetry, clock, log } = services
  if (!isUsable(telemetry.state().state)) return nothing('engine-down')
  try {
    // Events that have not arrived yet would look like missing ones.
    if ((await findSpoolLag(db)) > limits.alertDelay) return nothing('late')
    const to = clock().getTime() - limits.alertDelay
    const period = { from: to - stepLength[place.rule.window], to }
    const question = await openAlertQuestion(services, place, period)
    const now = await measure(question, place.rule)
    const shift = shiftOf(place.rule)
    const before =
      shift === undefined
        ? undefined
        : await measure(question.with({ from: period.from - shift, to: period.to - shift }), place.rule)
    const { condition, minEvents } = place.rule
    const judged = judgeMeasure(condition, { now, before, minEvents })
    return { ...judged, ...now, before: before?.value ?? null }
  } catch (error) {
    if (error instanceof Problem && error.code === 'query-too-large') return nothing('too-large')
    if (error instanceof Problem && error.code === 'engine-unavailable') return nothing('engine-down')
    log.warn({ err: error }, 'an alert could not be measured')
    return nothing('failed')
  }
}

async function measure(question: Question, { query }: MeasureRule): Promise<WindowMeasure> {
  const { filter: _filter, ...requested } = query
  // A sample would alert late, or for nothing.
  const { total } = await explore(question, { ...requested, exact: 'true' })
  return total
}

const nothing = (why: string): Measured => ({
  reading: 'missing',
  change: null,
  value: null,
  before: null,
  events: 0,
  why,
})
