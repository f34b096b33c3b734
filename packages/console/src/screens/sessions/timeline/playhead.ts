// Which moment of a session the address names: `#t=81.4`, and beside it the event where several happened at one instant.

import { type Moment, momentAt } from './moments.ts'

export function printPlayhead(moments: readonly Moment[], index: number): string {
  const moment = moments[index]
  if (moment === undefined) return ''
  const seconds = `t=${Number((moment.at / 1_000).toFixed(3))}`
  const isAlone = moments[index + 1]?.at !== moment.at
  return isAlone ? seconds : `${seconds}&event=${moment.event.id}`
}

/** The place of the moment; undefined where the address names none. */
export function readPlayhead(hash: string, moments: readonly Moment[]): number | undefined {
  const parts = new URLSearchParams(hash)
  const event = parts.get('event')
  const named = event === null ? -1 : moments.findIndex(({ event: { id } }) => id === event)
  if (named >= 0) return named
  const seconds = Number(parts.get('t') || Number.NaN)
  if (!Number.isFinite(seconds) || moments.length === 0) return undefined
  return Math.max(0, momentAt(moments, Math.round(seconds * 1_000)))
}
