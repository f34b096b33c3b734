import { useEffect, useRef } from 'react'
import { playerPath } from '../../../replay-player/messages.ts'
import type { StagedPlayer } from './create-player.ts'
import { usePlayerState } from './use-player.ts'

/** The picture alone: the recorded page, as large as there is room. Nobody can reach into it. */
export function ReplayStage({ player }: { readonly player: StagedPlayer }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const page = usePlayerState(player, (state) => state.page)
  const hasPicture = usePlayerState(player, (state) => state.hasPicture)
  const { width, height } = page ?? { width: 16, height: 10 }
  useEffect(() => (frame.current === null ? undefined : player.attach(frame.current)), [player])

  return (
    <div
      className="relative w-full overflow-hidden bg-sunken"
      style={{ aspectRatio: `${width} / ${height}` }}
      data-replay-stage
    >
      <iframe
        ref={frame}
        src={playerPath}
        title="Recorded page"
        inert
        tabIndex={-1}
        aria-hidden
        className="absolute inset-0 size-full border-0"
        style={{ visibility: hasPicture ? 'visible' : 'hidden' }}
      />
    </div>
  )
}
