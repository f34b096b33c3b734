// Times of spans and log records, which the store keeps in microseconds.

import type { Bind } from './conditions.ts'

/** As a parameter of a statement. */
export const microsecond = (at: number, bind: Bind) =>
  `fromUnixTimestamp64Micro(${bind(Math.round(at), 'Int64')})`

/** Of a period in milliseconds. */
export const within = ({ from, to }: { from: number; to: number }, bind: Bind) => [
  `ts >= ${microsecond(from * 1_000, bind)}`,
  `ts < ${microsecond(to * 1_000, bind)}`,
]

/** The SQL of a time in microseconds as text: a number would lose digits. */
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
