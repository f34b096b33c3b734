// The moment of a session in the URL: `#t=81.4`, with the event if there are several at that instant.

import { type Moment, momentAt } from './moments.ts'

export function printInstant(at: number, event?: string): string {
  const seconds = `t=${Number((at / 1_000).toFixed(3))}`
  return event === undefined ? seconds : `${seconds}&event=${event}`
}

/** Milliseconds since the session started. */
export function readInstant(hash: string): { at: number | undefined; event: string | undefined } {
  const parts = new URLSearchParams(hash)
  const seconds = Number(parts.get('t') || Number.NaN)
  return {
    at: Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1_000) : undefined,
    event: parts.get('event') ?? undefined,
  }
}

export function printPlayhead(moments: readonly Moment[], index: number): string {
  const moment = moments[index]
  if (moment === undefined) return ''
  const isAlone = moments[index + 1]?.at !== moment.at
  return printInstant(moment.at, isAlone ? undefined : moment.event.id)
}

/** The index of the moment; undefined without one in the URL. */
export function readPlayhead(hash: string, moments: readonly Moment[]): number | undefined {
  const { at, event } = readInstant(hash)
  const named = event === undefined ? -1 : moments.findIndex(({ event: { id } }) => id === event)
  if (named >= 0) return named
  if (at === undefined || moments.length === 0) return undefined
  return Math.max(0, momentAt(moments, at))
}
