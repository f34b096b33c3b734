import type { StagedPlayer } from './create-player.ts'
import { usePlayerState } from './use-player.ts'

/** The picture alone: the recorded page, as large as there is room. */
export function ReplayStage({ player }: { readonly player: StagedPlayer }) {
  const page = usePlayerState(player, (state) => state.page)
  const { width = 16, height = 10 } = page ?? {}
  return (
    <div
      className="relative w-full overflow-hidden bg-sunken"
      style={{ aspectRatio: `${width} / ${height}` }}
      data-replay-stage
    />
  )
}
