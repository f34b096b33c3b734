// The state of the live tail: a limited number of rows, however many arrive, and no movement while it is
// paused.

import type { LiveEvent, LiveMessage } from '../../api/live.ts'
import type { Problem } from '../../api/problem.ts'

export const rowsAtMost = 200

export interface TailState {
  connection: 'connecting' | 'open' | 'lost'
  /** Stored events are loaded, so an empty list means there are none. */
  isReady: boolean
  /** The server refuses. */
  problem: Problem | undefined
  /** Oldest first. */
  rows: readonly LiveEvent[]
  isPaused: boolean
  /** Arrived during the pause: the newest of them. */
  held: readonly LiveEvent[]
  /** How many arrived during the pause. */
  newCount: number
  arrived: number
  dropped: number
  /** Of all events since the filter was set. */
  droppedInAll: number
  isStoreAway: boolean
  lastAt: number | undefined
}

type TailAction =
  | { type: 'open' }
  | { type: 'lost' }
  | { type: 'refused'; problem: Problem }
  | { type: 'message'; message: LiveMessage; now: number }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'restart' }

export const emptyTail: TailState = {
  connection: 'connecting',
  isReady: false,
  problem: undefined,
  rows: [],
  isPaused: false,
  held: [],
  newCount: 0,
  arrived: 0,
  dropped: 0,
  droppedInAll: 0,
  isStoreAway: false,
  lastAt: undefined,
}

export function changeTail(state: TailState, action: TailAction): TailState {
  switch (action.type) {
    case 'open':
      return { ...state, connection: 'open', problem: undefined }
    case 'lost':
      return { ...state, connection: 'lost', dropped: 0 }
    case 'refused':
      return { ...state, connection: 'lost', problem: action.problem }
    case 'pause':
      return { ...state, isPaused: true }
    case 'resume':
      return {
        ...state,
        isPaused: false,
        rows: [...state.rows, ...state.held].slice(-rowsAtMost),
        held: [],
        newCount: 0,
      }
    case 'restart':
      return emptyTail
    case 'message':
      return takeMessage(state, action.message, action.now)
  }
}

function takeMessage(state: TailState, message: LiveMessage, now: number): TailState {
  if (message.type === 'pace') {
    const { arrived, dropped, store } = message
    const droppedInAll = state.droppedInAll + dropped
    return { ...state, arrived, dropped, droppedInAll, isStoreAway: store === 'away' }
  }
  const known = new Set([...state.rows, ...state.held].map(({ id }) => id))
  const fresh = message.events.filter(({ id }) => !known.has(id))
  const isReady = state.isReady || message.earlier
  if (fresh.length === 0) return { ...state, isReady }
  const next = { ...state, isReady, lastAt: now }
  if (state.isPaused) {
    const held = merge(state.held, fresh, message.earlier)
    return { ...next, held, newCount: state.newCount + fresh.length }
  }
  return { ...next, rows: merge(state.rows, fresh, message.earlier) }
}

/** Stored events may arrive after newer ones: at the start, and after a reconnect. */
function merge(rows: readonly LiveEvent[], fresh: readonly LiveEvent[], isEarlier: boolean) {
  const all = [...rows, ...fresh]
  if (isEarlier) all.sort((a, b) => (a.receivedAt < b.receivedAt ? -1 : a.receivedAt > b.receivedAt ? 1 : 0))
  return all.slice(-rowsAtMost)
}
