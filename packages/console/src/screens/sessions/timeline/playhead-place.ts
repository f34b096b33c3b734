// Where the playhead of a session stands, for the parts that move with it. A part that follows it is drawn again only when
// its own share of that changes: a list when another row is the current one, not sixty times a second.

import { useSyncExternalStore } from 'react'
import { type Moment, momentAt } from './moments.ts'

export interface Playhead {
  /** For `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void
  /** Milliseconds since the session began; undefined while nothing is chosen. */
  at(): number | undefined
  /** The event that was chosen, where several stand at one instant. */
  event(): string | undefined
}

/** One that stands still: it is another one when something else is chosen. */
export function standAt(moment: Moment | undefined): Playhead {
  return { subscribe: () => () => undefined, at: () => moment?.at, event: () => moment?.event.id }
}

/** The place in a list of what happened last. −1: nothing yet. */
export function placeIn(moments: readonly Moment[], playhead: Playhead): number {
  const at = playhead.at()
  if (at === undefined) return -1
  const last = momentAt(moments, at)
  const named = playhead.event()
  for (let index = last; index >= 0 && moments[index]?.at === moments[last]?.at; index -= 1) {
    if (moments[index]?.event.id === named) return index
  }
  return last
}

export function usePlaceIn(moments: readonly Moment[], playhead: Playhead): number {
  return useSyncExternalStore(playhead.subscribe, () => placeIn(moments, playhead))
}

/** As often as it moves by a step. */
export function usePlayheadAt(playhead: Playhead, step = 1, round = Math.round): number | undefined {
  return useSyncExternalStore(playhead.subscribe, () => {
    const at = playhead.at()
    return at === undefined ? undefined : round(at / step) * step
  })
}
