import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import type { Moment } from '../timeline/moments.ts'
import { printInstant, readInstant } from '../timeline/playhead.ts'
import { usePlaceIn } from '../timeline/playhead-place.ts'
import { type ChosenMoment, useMomentWalk } from '../timeline/use-moment-walk.ts'
import { createPlayback, type Playback } from './playback.ts'
import type { Player } from './player.ts'
import { usePlayerState } from './use-player.ts'

export interface Played extends ChosenMoment {
  /** `event`: the entry meant, of several at that instant. */
  readonly seek: (at: number, event?: string) => void
  readonly playback: Playback
}

interface PlaybackOptions {
  player: Player
  /** Milliseconds since 1970. */
  sessionStart: number
  moments: readonly Moment[]
  listed: readonly Moment[]
  /** False where the fragment of the URL is something else. */
  isInAddress?: boolean
}

/** Uses a player's playhead as the one of the session: events, URL and shortcuts follow it, and move it. */
export function usePlayback(options: PlaybackOptions): Played {
  const { player, sessionStart, moments, listed, isInAddress = true } = options
  const playback = useMemo(() => createPlayback(player, sessionStart), [player, sessionStart])
  const keepInAddress = useAddress({ player, playback, moments, isInAddress })
  const place = usePlaceIn(moments, playback)

  const seek = (at: number, event?: string) => {
    playback.seek(at, event)
    keepInAddress()
  }
  const go = (to: number) => {
    const { at, event } = moments[to] ?? {}
    if (at !== undefined) seek(at, moments[to + 1]?.at === at ? event?.id : undefined)
  }
  const walk = useMomentWalk({ moments, listed, index: place < 0 ? undefined : place, go })
  return { ...walk, seek, playhead: playback, playback }
}

/** A dragged slider moves many times a second: the URL only gets its final position. */
const restsAfter = 250

/** While paused, the URL contains the position; an external change of the URL moves the playhead. */
function useAddress(options: {
  player: Player
  playback: Playback
  moments: readonly Moment[]
  isInAddress: boolean
}): () => void {
  const { player, playback, isInAddress } = options
  const moments = useRef(options.moments)
  moments.current = options.moments
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const known = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isPlaying = usePlayerState(player, (state) => state.isPlaying)

  useEffect(() => {
    if (known.current === hash || !isInAddress) return
    known.current = hash
    const instant = readInstant(hash)
    const { event } = instant
    // Links from elsewhere may count from another start of the session by some milliseconds.
    const at = moments.current.find(({ event: { id } }) => id === event)?.at ?? instant.at
    if (at === undefined) return
    player.pause()
    playback.seek(at, event)
  }, [hash, player, playback, isInAddress])

  const write = () => {
    clearTimeout(timer.current)
    if (!isInAddress) return
    timer.current = setTimeout(() => {
      if (player.getState().isPlaying) return
      known.current = printInstant(playback.at(), playback.event())
      // Navigation within a session replaces the history entry, so that Back leaves the session.
      void navigate({
        to: '.',
        search: true,
        hash: known.current,
        replace: true,
        resetScroll: false,
        hashScrollIntoView: false,
      })
    }, restsAfter)
  }
  const latest = useRef(write)
  latest.current = write
  const wasPlaying = useRef(false)
  useEffect(() => {
    if (wasPlaying.current && !isPlaying) latest.current()
    wasPlaying.current = isPlaying
  }, [isPlaying])
  useEffect(() => () => clearTimeout(timer.current), [])
  return write
}
