// Times of spans and log records, which the store keeps in microseconds.

import type { Bind } from './conditions.ts'

/** As a parameter of a statement. */
export const microsecond = (at: number, bind: Bind) =>
  `fromUnixTimestamp64Micro(${bind(Math.round(at), 'Int64')})`

const hour = 3_600_000_000

/**
 * Spans are stored by their hour, which the engine does not derive from a condition on their time: without these, one
 * trace is looked for in half of the table.
 */
export const inHours = ({ from, to }: { from: number; to: number }, bind: Bind) =>
  [
    ['>=', from],
    ['<=', to],
  ].map(([sign, at]) => `toStartOfHour(ts) ${sign} toDateTime(${bind(hourOf(Number(at)), 'UInt32')})`)

/** In seconds, of a time in microseconds. */
const hourOf = (at: number) => Math.max(0, Math.floor(at / hour) * 3_600)

/** Of a period in milliseconds. */
export const within = ({ from, to }: { from: number; to: number }, bind: Bind) => [
  `ts >= ${microsecond(from * 1_000, bind)}`,
  `ts < ${microsecond(to * 1_000, bind)}`,
]

/** Of spans, in a period in milliseconds. */
export const spansWithin = ({ from, to }: { from: number; to: number }, bind: Bind) => [
  ...inHours({ from: from * 1_000, to: to * 1_000 }, bind),
  ...within({ from, to }, bind),
]

export const microsecondsText = (column: string) => `toString(toUnixTimestamp64Micro(${column}))`

export const instantOfMicroseconds = (micros: number | string) =>
  new Date(Math.floor(Number(micros) / 1_000)).toISOString()

/** The SQL of the ID of a trace in hex. */
export const traceIdText = (column = 'trace_id') => `replaceAll(toString(${column}), '-', '')`

/** When a trace began and ended, in microseconds since 1970. */
export interface TraceExtent {
  trace: string
  started: number
  ended: number
}

/** How far from a trace its errors and log records may be: clocks differ, and some are written after its end. */
export const aroundTrace = 60 * 60 * 1_000_000
