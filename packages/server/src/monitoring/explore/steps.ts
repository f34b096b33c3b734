import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type Stretch, stepFor, stepLength, stepsOf, type TimeStep } from '@telltale/core/query/time-buckets'
import type { Question } from './question.ts'

export interface Steps {
  step: TimeStep
  timeZone: string
  all: readonly (Stretch & { at: string; partial: boolean })[]
  /** The start of a row's step, in seconds since 1970. */
  of(question: Pick<Question, 'bind'>, column: string): string
}

/** The steps of a question's period in the time zone of its environment. */
export function readSteps(
  question: Pick<Question, 'from' | 'to' | 'timeZone'>,
  requested: TimeStep | undefined,
): Steps {
  const { from, to, timeZone } = question
  const step = requested ?? stepFor(question, limits.seriesPointsWanted)
  if ((to - from) / stepLength[step] > limits.seriesPoints) {
    const message = `is too short: at most ${limits.seriesPoints} steps fit into a period`
    throw problem('invalid-request', { errors: [{ pointer: '?step', message }] })
  }
  const all = stepsOf({ from, to }, step, timeZone).map((one) => ({
    ...one,
    at: new Date(one.from).toISOString(),
    partial: one.from < from || one.to > to,
  }))
  const starts = all.map((one) => Math.max(0, Math.floor(one.from / 1_000)))
  return {
    step,
    timeZone,
    all,
    // A period before 1970 or of zero length has no steps and no rows.
    of: ({ bind }, column) =>
      starts.length === 0
        ? 'toUInt32(0)'
        : `roundDown(toUInt32(toUnixTimestamp(${column})), ${bind(starts, 'Array(UInt32)')})`,
  }
}

/** One point for each step, also for steps without rows. */
export function fillSteps<Row extends { at: number | string }, Point>(
  { all }: Steps,
  rows: readonly Row[],
  toPoint: (row: Row | undefined) => Point,
): (Point & { at: string; partial: boolean })[] {
  const byStart = new Map(rows.map((row) => [Number(row.at), row]))
  return all.map(({ from, at, partial }) => ({
    ...toPoint(byStart.get(Math.max(0, Math.floor(from / 1_000)))),
    at,
    partial,
  }))
}
