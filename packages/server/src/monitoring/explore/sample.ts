// Queries over very many events read the events of a part of the users, and say so.

import { sampleLimits } from '@telltale/core/sample-limits'
import type { Question } from './question.ts'

interface SampledQuery<Reply> {
  /** Of the events that are read; undefined for all. */
  kind: string | undefined
  /** All events are requested, however long it takes. */
  isExact: boolean
  read(question: Question): Promise<Reply>
  /** How many events, or sessions, an answer is about. */
  countOf(reply: Reply): number
}

/** When a sample is read, and when it is too small. */
const usual: { whole: number; least: number } = {
  whole: sampleLimits.eventsReadWhole.value,
  least: sampleLimits.sampledEventsLeast.value,
}

/** `sample`: the result is estimated from a part of the users; 1: from all. */
export async function readSampled<Reply>(
  question: Question,
  { kind, isExact, read, countOf }: SampledQuery<Reply>,
  { whole, least } = usual,
): Promise<Reply & { sample: number }> {
  const sample = isExact ? 1 : sampleFor(await countStored(question, kind), whole)
  if (sample > 1) {
    const reply = await read(question.with({ sample }))
    if (countOf(reply) >= sample * least) return { ...reply, sample }
  }
  return { ...(await read(question)), sample: 1 }
}

/** A power of two, so that a longer period has the users of a shorter one in common. */
function sampleFor(events: number, whole: number): number {
  const times = events / whole
  return times <= 1 ? 1 : Math.min(sampleLimits.sampleMaximum.value, 2 ** Math.ceil(Math.log2(times)))
}

/** Events of the hours of the period, whatever the filter: answered by the projection `by_hour`. */
async function countStored(question: Question, kind: string | undefined): Promise<number> {
  const { bind, from, to } = question
  const hourOf = (at: number) => `toStartOfHour(fromUnixTimestamp64Milli(${bind(at, 'Int64')}, 'UTC'))`
  const ofKind = kind === undefined ? [] : [`kind = ${bind(kind, 'String')}`]
  const hours = [`toStartOfHour(ts) >= ${hourOf(from)}`, `toStartOfHour(ts) < ${hourOf(to)}`]
  const [found] = await question.read<{ events: string }>(
    `SELECT toString(sum(events)) AS events
    FROM (SELECT count() AS events FROM ${question.stored(...hours, ...ofKind)} GROUP BY environment_id, kind, toStartOfHour(ts))`,
  )
  return Number(found?.events ?? 0)
}
