import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Replay, type ReplaySource, sourceKey } from '../../../api/replays.ts'
import { createPlayer, type StagedPlayer } from './create-player.ts'
import type { Player, PlayerState } from './player.ts'

/**
 * The player of a replay, created once its index is loaded. It lives as long as the screen and follows an
 * ongoing recording.
 */
export function usePlayer(
  place: ReplaySource,
  replay: Replay | undefined,
  startAt: number | undefined,
): StagedPlayer | undefined {
  const [player, setPlayer] = useState<StagedPlayer>()
  const isKnown = replay !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same player follows a newer index
  useEffect(() => {
    if (replay === undefined) return
    const created = createPlayer({ place, replay, startAt })
    setPlayer(created)
    return () => {
      created.close()
      setPlayer(undefined)
    }
  }, [sourceKey(place), isKnown])
  useEffect(() => {
    if (replay !== undefined) player?.follow(replay)
  }, [player, replay])
  return player
}

/** Whether the first picture is there, or will never be: what is beside it can load. */
export function useIsShown(
  replay: Pick<UseQueryResult<Replay>, 'isError'>,
  player: StagedPlayer | undefined,
): boolean {
  const status = useSyncExternalStore(player?.subscribe ?? neverChanges, () => player?.getState().status)
  return replay.isError || (status !== undefined && status !== 'loading')
}

const neverChanges = () => () => undefined

/** A part of the player's state: rerenders only when that part changes. */
export function usePlayerState<Part>(player: Player, pick: (state: PlayerState) => Part): Part {
  return useSyncExternalStore(player.subscribe, () => pick(player.getState()))
}
