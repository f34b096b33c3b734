// The playhead of a recorded session, in milliseconds since the session started. The player owns it. It may lie
// outside the recording: events before the recorder started or after it stopped can be selected too.

import type { Playhead } from '../timeline/playhead-place.ts'
import type { Player, PlayerState } from './player.ts'

export interface Playback extends Playhead {
  at(): number
  /** `event`: the selected one of several at the same instant. */
  seek(at: number, event?: string): void
}

type Moved = Pick<Player, 'subscribe' | 'seek'> & { getState(): Pick<PlayerState, 'at'> }

export function createPlayback(player: Moved, sessionStart: number): Playback {
  let held: { at: number; event: string | undefined; playerAt: number } | undefined
  const listeners = new Set<() => void>()
  // Once playback has moved on, the previous selection ends.
  const chosen = () => (held?.playerAt === player.getState().at ? held : undefined)

  return {
    subscribe(listener) {
      listeners.add(listener)
      const stop = player.subscribe(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
    at: () => chosen()?.at ?? Math.max(0, player.getState().at - sessionStart),
    event: () => chosen()?.event,
    seek(at, event) {
      player.seek(sessionStart + at)
      held = { at, event, playerAt: player.getState().at }
      for (const listener of listeners) listener()
    },
  }
}
