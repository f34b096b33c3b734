// Queries over very many events read the events of one in sixteen users, and say so.

import { sampleLimits } from '@telltale/core/sample-limits'
import { usersPerSampled } from '../../platform/engines/clickhouse/schema/events-sampled.ts'
import type { Question } from './question.ts'

interface SampledQuery {
  /** Of the events that are read; undefined for all. */
  kind?: string | undefined
  /** Conditions on the events that are read, in addition to their kind. */
  conditions?: ((question: Question) => readonly string[]) | undefined
  /** `true`: all events are requested, however long it takes. */
  exact?: 'true' | undefined
}

/** When a sample is read, and when it is too small. */
const usual: { whole: number; least: number } = {
  whole: sampleLimits.eventsReadWhole.value,
  least: sampleLimits.sampledEventsLeast.value,
}

/** Of how many users one is read. */
export const sampleOf = ({ isSampled }: Pick<Question, 'isSampled'>) => (isSampled ? usersPerSampled : 1)

/** The same question, about the sample of users if it covers the period, which has very many events of which enough match. */
export async function chooseSample(
  question: Question,
  { kind, conditions = () => [], exact }: SampledQuery = {},
  { whole, least } = usual,
): Promise<Question> {
  if (exact === 'true') return question
  const stored = await countDays(question, kind)
  if (sumOf(stored) <= whole) return question
  const sampled = question.with({ isSampled: true })
  if (!isCovered(stored, await countDays(sampled, kind))) return question
  const ofKind = kind === undefined ? [] : [`kind = ${sampled.bind(kind, 'String')}`]
  const [found] = await sampled.read<{ events: string }>(
    `SELECT toString(count()) AS events FROM ${sampled.events(...ofKind, ...conditions(sampled))}`,
  )
  return Number(found?.events ?? 0) < least ? question : sampled
}

interface Day {
  day: string
  events: string
}

const sumOf = (days: readonly Day[]) => days.reduce((sum, { events }) => sum + Number(events), 0)

/** A day with fewer events may be without any in the sample. */
const judgedFrom = 1_000 * usersPerSampled

/** Events that were stored before the sample began are not in it. */
function isCovered(stored: readonly Day[], sampled: readonly Day[]): boolean {
  const eventsOf = new Map(sampled.map(({ day, events }) => [day, Number(events)]))
  return stored.every(
    ({ day, events }) =>
      Number(events) < judgedFrom || (eventsOf.get(day) ?? 0) * usersPerSampled > Number(events) / 2,
  )
}

/** Events by day, of whole hours and whatever the filter: answered by the projection `by_hour` where there is one. */
async function countDays(question: Question, kind: string | undefined): Promise<Day[]> {
  const { bind } = question
  const [from, to] = [question.from, question.to].map(
    (at) => `toStartOfHour(fromUnixTimestamp64Milli(${bind(at, 'Int64')}, 'UTC'))`,
  )
  const ofKind = kind === undefined ? [] : [`kind = ${bind(kind, 'String')}`]
  const hours = [`toStartOfHour(ts) >= ${from}`, `toStartOfHour(ts) < ${to}`]
  return question.read<Day>(
    `SELECT toString(toDate(hour)) AS day, toString(sum(stored)) AS events
    FROM (SELECT toStartOfHour(ts) AS hour, count() AS stored FROM ${question.stored(...hours, ...ofKind)}
      GROUP BY environment_id, kind, toStartOfHour(ts))
    GROUP BY day`,
  )
}
