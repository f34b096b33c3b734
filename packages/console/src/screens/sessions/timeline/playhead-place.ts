// The position of a session's playhead, for components that follow it. A component rerenders only when its own
// part changes: a list when another row is current, not sixty times a second.

import { useSyncExternalStore } from 'react'
import { type ListedMoment, type Moment, momentAt } from './moments.ts'

export interface Playhead {
  /** For `useSyncExternalStore`. */
  subscribe(listener: () => void): () => void
  /** Milliseconds since the session started; undefined without a selection. */
  at(): number | undefined
  /** The selected event, of several at the same instant. */
  event(): string | undefined
}

/** A static one: replaced when the selection changes. */
export function standAt(moment: Moment | undefined): Playhead {
  return { subscribe: () => () => undefined, at: () => moment?.at, event: () => moment?.event.id }
}

type Placed = Pick<ListedMoment, 'at' | 'event'>

/** Index of the last event so far in a list. −1: none yet. */
export function placeIn(moments: readonly Placed[], playhead: Playhead): number {
  const at = playhead.at()
  if (at === undefined) return -1
  const last = momentAt(moments, at)
  const named = playhead.event()
  for (let index = last; index >= 0 && moments[index]?.at === moments[last]?.at; index -= 1) {
    if (moments[index]?.event.id === named) return index
  }
  return last
}

export function usePlaceIn(moments: readonly Placed[], playhead: Playhead): number {
  return useSyncExternalStore(playhead.subscribe, () => placeIn(moments, playhead))
}

/** Rerenders when the playhead moves by a step. */
export function usePlayheadAt(playhead: Playhead, step = 1, round = Math.round): number | undefined {
  return useSyncExternalStore(playhead.subscribe, () => {
    const at = playhead.at()
    return at === undefined ? undefined : round(at / step) * step
  })
}
