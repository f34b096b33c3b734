import { useState } from 'react'
import type { Replay, ReplayRef } from '../../../api/replays.ts'
import { useMayHere } from '../../../shell/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { KeepDialog, ReleaseDialog } from './keep-dialog.tsx'
import type { Player } from './player.ts'
import { privacyTexts, reasonText } from './replay-words.ts'
import { TestButton } from './test-button.tsx'
import { usePlayerState } from './use-player.ts'

type RecordingLineProps = { place: ReplayRef; replay: Replay; player: Player }

/** The reason for the recording, what is hidden in it, and its retention. */
export function RecordingLine({ place, replay, player }: RecordingLineProps) {
  const privacy = usePlayerState(player, (state) => state.privacy)
  const mayKeep = useMayHere('replays.keep')
  const [asks, setAsks] = useState(false)
  const { kept, expiresAt } = replay
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-6 text-12 text-text-2">
      <p className="min-w-0 flex-1 basis-[240px] text-pretty [overflow-wrap:anywhere]">
        {privacy && `${reasonText(privacy.reason)} ${privacyTexts[privacy.level]} `}
        {kept && (
          <>
            Kept by {kept.by} since <Time at={kept.at} />
            {kept.reason === '' ? '.' : `: ${kept.reason}`}
          </>
        )}
        {!kept && expiresAt && (
          <>
            Deleted <Time at={expiresAt} /> unless kept.
          </>
        )}
      </p>
      <TestButton place={place} />
      {mayKeep && (
        <Button size="small" onClick={() => setAsks(true)}>
          {kept ? 'Release…' : 'Keep…'}
        </Button>
      )}
      {asks && !kept && <KeepDialog place={place} expiresAt={expiresAt} onClose={() => setAsks(false)} />}
      {asks && kept && <ReleaseDialog place={place} onClose={() => setAsks(false)} />}
    </div>
  )
}
