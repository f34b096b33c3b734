import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { Replay } from '../../../api/replays.ts'
import { playerPath } from '../../../replay-player/messages.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { durationText, lengthText } from '../../../ui/text/measure-text.ts'
import { usePlayheadAt } from '../timeline/playhead-place.ts'
import type { StagedPlayer } from './create-player.ts'
import type { Playback } from './playback.ts'
import type { Span } from './player.ts'
import { gapText } from './replay-words.ts'
import { usePlayerState } from './use-player.ts'

type StageFrameProps = {
  player: StagedPlayer
  playback: Playback
  replay: Replay
  sessionStart: number
}

/** The picture scaled to the window, phones included, or a message in its place. */
export function StageFrame(props: StageFrameProps) {
  const { player } = props
  const page = usePlayerState(player, (state) => state.page)
  const { width, height } = page ?? { width: 16, height: 9 }
  return (
    <div className="relative bg-sunken">
      <div
        className="mx-auto"
        style={{ maxWidth: `calc(min(62dvh, 640px) * ${width / Math.max(1, height)})` }}
      >
        <ReplayStage player={player} />
      </div>
      <Cover {...props} />
      <Chips {...props} />
    </div>
  )
}

function Cover({ player, playback, replay, sessionStart }: StageFrameProps) {
  const status = usePlayerState(player, (state) => state.status)
  const problem = usePlayerState(player, (state) => state.problem)
  const gap = usePlayerState(player, (state) => state.gap)
  const tab = usePlayerState(player, (state) => state.tab)
  const at = usePlayheadAt(playback, outsideLeast) ?? 0
  if (status === 'failed') {
    return (
      <div
        role="alert"
        className="absolute inset-0 grid place-content-center justify-items-center gap-8 bg-surface p-16 text-center"
      >
        <Icon name="warning" className="size-20 text-bad" />
        <p className="max-w-card text-pretty">{problem ?? 'The recording cannot be played'}</p>
        <Button onClick={player.retry}>Try again</Button>
      </div>
    )
  }
  if (status === 'loading') {
    return (
      <div className="absolute inset-0 overflow-hidden bg-surface">
        <Skeleton rows={9} label="Loading the recording" />
      </div>
    )
  }
  const text = gap ? gapText(gap) : whereTabIs(replay.tabs, { tab, at: sessionStart + at, sessionStart })
  if (text === undefined) return null
  return (
    <div className="absolute inset-0 grid place-content-center p-16 text-center [background:repeating-linear-gradient(135deg,var(--sunken)_0_6px,var(--hover)_6px_12px)]">
      <p className="max-w-card text-pretty rounded-control bg-surface px-12 py-8 font-medium">{text}</p>
    </div>
  )
}

interface TabRequest {
  tab: string
  at: number
  sessionStart: number
}

/** A selected tab may not have been open then. Undefined: it was. */
function whereTabIs(tabs: Replay['tabs'], { tab, at, sessionStart }: TabRequest): string | undefined {
  const shown = tabs.find(({ id }) => id === tab)
  if (shown === undefined || tabs.length === 1) return undefined
  const [from, to] = [Date.parse(shown.startedAt), Date.parse(shown.endedAt)]
  if (at + outsideLeast > from && at - outsideLeast < to) return undefined
  return `No recording of this tab at this time: recorded from ${lengthText(from - sessionStart)} to ${lengthText(to - sessionStart)}`
}

function Chips({ player, playback, sessionStart }: StageFrameProps) {
  const idle = usePlayerState(player, (state) => state.idle)
  const isBuffering = usePlayerState(player, (state) => state.isBuffering)
  const startsAt = usePlayerState(player, (state) => state.startsAt) - sessionStart
  const endsAt = usePlayerState(player, (state) => state.endsAt) - sessionStart
  const at = usePlayheadAt(playback, outsideLeast)
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-x-0 top-8 grid justify-items-center gap-4"
    >
      {isBuffering && <Chip>Loading</Chip>}
      {idle && <Chip>Skipped {idleText(idle)} of idle time</Chip>}
      {at !== undefined && at + outsideLeast < startsAt && (
        <Chip>Not recorded yet: the recording begins at {lengthText(startsAt)}</Chip>
      )}
      {at !== undefined && at - outsideLeast > endsAt && (
        <Chip>No changes recorded after {lengthText(endsAt)}</Chip>
      )}
    </div>
  )
}

/**
 * A recorder starts when the page is idle, and a last event may follow the last picture: do not report such
 * short gaps.
 */
const outsideLeast = 1_000

const idleText = ({ from, to }: Span) => durationText(Math.round((to - from) / 1_000) * 1_000)

function Chip({ children }: { children: ReactNode }) {
  return (
    <p className="rounded-round bg-ink px-12 py-4 font-medium text-12 text-on-ink shadow-menu">{children}</p>
  )
}

/** Only the picture: the recorded page, as large as fits. It is not interactive. */
function ReplayStage({ player }: { readonly player: StagedPlayer }) {
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
