// The watchers of each environment. Without watchers, an accepted batch costs one map lookup. What waits is limited per
// watcher, and what is examined per environment; everything left out is counted.

import { limits } from '@telltale/core/limits'
import { boundEvent, toLiveEvent } from './live-row.ts'
import type { Match } from './match-event.ts'
import { createWaiting, type Waiting } from './waiting.ts'

export interface Watcher extends Pick<Waiting, 'take'> {
  stop(): void
}

export type Wanted = Pick<Match, 'mayMatch' | 'matches'>

export interface LiveTail {
  /** Rows of the table of events that this server accepted. */
  take(environmentId: string, rows: readonly string[]): void
  watch(environmentId: string, wanted: Wanted): Watcher
}

interface Room {
  watchers: Map<Waiting, Wanted>
  /** The second to which `examined` applies. */
  second: number
  examined: number
}

export function createLiveTail(now: () => number): LiveTail {
  const rooms = new Map<string, Room>()

  return {
    take(environmentId, rows) {
      const room = rooms.get(environmentId)
      if (room === undefined) return
      const second = Math.floor(now() / 1_000)
      if (room.second !== second) Object.assign(room, { second, examined: 0 })
      for (const row of rows) offer(room, row)
    },
    watch(environmentId, wanted) {
      const waiting = createWaiting()
      const room = rooms.get(environmentId) ?? { watchers: new Map(), second: 0, examined: 0 }
      rooms.set(environmentId, room)
      room.watchers.set(waiting, wanted)
      return {
        take: waiting.take,
        stop() {
          room.watchers.delete(waiting)
          if (room.watchers.size === 0 && rooms.get(environmentId) === room) rooms.delete(environmentId)
        },
      }
    },
  }
}

function offer(room: Room, row: string): void {
  const candidates = [...room.watchers].filter(([, { mayMatch }]) => mayMatch(row))
  if (candidates.length === 0) return
  if (room.examined >= limits.liveExamined) {
    for (const [waiting] of candidates) waiting.miss(1)
    return
  }
  room.examined += 1
  const whole = toLiveEvent(JSON.parse(row))
  const event = boundEvent(whole, row.length)
  for (const [waiting, { matches }] of candidates) if (matches(whole)) waiting.add(event)
}
