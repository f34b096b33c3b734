import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { replayQuery } from '../../../api/replays.ts'
import { type Session, timelineQuery } from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import type { StagedPlayer } from '../replay/create-player.ts'
import { NoRecording } from '../replay/no-recording.tsx'
import { createPlayback } from '../replay/playback.ts'
import { StageFrame } from '../replay/stage-frame.tsx'
import { usePlayer, usePlayerState } from '../replay/use-player.ts'
import { whoText } from '../session-words.ts'
import { type Moment, toMoments } from '../timeline/moments.ts'

export interface ComparedSession {
  session: Session
  variation: string
}

export interface LoadedSide {
  player: StagedPlayer
  moments: readonly Moment[]
}

type ComparedSideProps = ComparedSession & {
  name: string
  flag: string
  /** Player and events are loaded. */
  onLoaded: (side: LoadedSide | undefined) => void
}

/** One of the two sessions: its user, its variation, and the picture. */
export function ComparedSide({ session, variation, name, flag, onLoaded }: ComparedSideProps) {
  const { project, environment } = useScope()
  const { id, running, startedAt } = session
  const scope = { project, env: environment.key }
  const timeline = useQuery(timelineQuery(scope, { session: id, running }))
  const replay = useQuery(replayQuery({ ...scope, session: id }, { running }))
  const player = usePlayer({ ...scope, session: id }, replay.data, undefined)
  const events = timeline.data?.events
  const moments = useMemo(() => events && toMoments(events, startedAt), [events, startedAt])
  useEffect(() => {
    onLoaded(player && moments ? { player, moments } : undefined)
    return () => onLoaded(undefined)
  }, [player, moments, onLoaded])

  return (
    <section
      aria-label={name}
      className="min-w-0 overflow-hidden rounded-panel border border-line bg-surface"
    >
      <header className="flex min-h-40 flex-wrap items-center gap-x-10 gap-y-2 border-line border-b px-12 py-6">
        <Link
          to="/p/$project/sessions/$session"
          params={{ project, session: id }}
          search={{}}
          className="min-w-0 truncate font-strong text-accent hover:underline"
        >
          {whoText(session)}
        </Link>
        <code className="text-12">
          {flag}={variation}
        </code>
        <span className="text-12 text-text-3">
          {[session.device, session.browser, session.country].filter((text) => text !== '').join(', ')}
        </span>
        {player && <SideTime player={player} session={session} />}
      </header>
      {replay.data && player ? (
        <Picture player={player} replay={replay.data} sessionStart={Date.parse(startedAt)} />
      ) : replay.error ? (
        <div className="p-12">
          <NoRecording session={session} />
        </div>
      ) : (
        <div className="aspect-[16/9]">
          <Skeleton rows={6} label="Loading the recording" />
        </div>
      )}
      {timeline.error && <Trouble error={timeline.error} onRetry={() => void timeline.refetch()} />}
    </section>
  )
}

type PictureProps = Pick<Parameters<typeof StageFrame>[0], 'player' | 'replay' | 'sessionStart'>

function Picture({ player, replay, sessionStart }: PictureProps) {
  const playback = useMemo(() => createPlayback(player, sessionStart), [player, sessionStart])
  return <StageFrame player={player} playback={playback} replay={replay} sessionStart={sessionStart} />
}

function SideTime({ player, session }: { player: StagedPlayer; session: Session }) {
  const seconds = usePlayerState(player, ({ at }) =>
    Math.max(0, Math.floor((at - Date.parse(session.startedAt)) / 1_000)),
  )
  return (
    <span className="ml-auto whitespace-nowrap text-12">
      <b className="font-strong">{lengthText(seconds * 1_000)}</b>
      <span className="text-text-3"> / {lengthText(session.length)}</span>
    </span>
  )
}
