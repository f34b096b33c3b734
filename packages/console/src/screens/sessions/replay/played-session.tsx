import { useEffect, useMemo } from 'react'
import type { Replay, ReplayRef } from '../../../api/replays.ts'
import { Panel } from '../../../ui/panel.tsx'
import { useDetails } from '../details/use-details.ts'
import { EventPanel } from '../timeline/event-panel.tsx'
import { LanesPicture } from '../timeline/lanes-picture.tsx'
import { Detail, type SessionParts, WhenListed } from '../timeline/listed-session.tsx'
import { usePlaceIn } from '../timeline/playhead-place.ts'
import { ProfileAt, ProfileBar } from '../timeline/profile-link.tsx'
import { SessionLayout } from '../timeline/session-layout.tsx'
import { AddressBar } from './address-bar.tsx'
import { ControlBar } from './control-bar.tsx'
import type { StagedPlayer } from './create-player.ts'
import type { Playback } from './playback.ts'
import { notedInstants, recordedSpans } from './recorded-spans.ts'
import { RecordingLine } from './recording-line.tsx'
import { ReplayNotes } from './replay-notes.tsx'
import { StageFrame } from './stage-frame.tsx'
import { usePlayback } from './use-playback.ts'
import { usePlayerState } from './use-player.ts'

type PlayedSessionProps = SessionParts & {
  place: ReplayRef
  replay: Replay
  player: StagedPlayer
  onPlayback: (playback: Playback | undefined) => void
}

/** A session with its recording: picture, lanes and lists share one playhead. */
export function PlayedSession(props: PlayedSessionProps) {
  const { session, timeline, moments, listed, profiles, search, onSearch } = props
  const { place, replay, player, onPlayback } = props
  const sessionStart = Date.parse(session.startedAt)
  const played = usePlayback({ player, sessionStart, moments, listed })
  const { playback, moment } = played
  useEffect(() => {
    onPlayback(playback)
    return () => onPlayback(undefined)
  }, [onPlayback, playback])

  const details = useDetails(place, { moments, sessionStart, search, running: replay.running })
  const entry = details.open[usePlaceIn(details.open, playback)]

  const gaps = usePlayerState(player, (state) => state.gaps)
  const recorderNotes = usePlayerState(player, (state) => state.notes)
  const recorded = useMemo(() => recordedSpans({ replay, gaps, sessionStart }), [replay, gaps, sessionStart])
  const noted = useMemo(
    () => notedInstants({ notes: replay.notes, recorderNotes, sessionStart }),
    [replay.notes, recorderNotes, sessionStart],
  )
  const length = Math.max(session.length, recorded.to)

  return (
    <SessionLayout
      isPlayed
      session={session}
      top={
        <section
          aria-label="Player"
          className="min-w-0 overflow-hidden rounded-panel border border-line bg-surface"
        >
          <AddressBar player={player} playhead={playback} moments={moments} />
          <StageFrame player={player} playback={playback} replay={replay} sessionStart={sessionStart} />
          <ControlBar player={player} played={played} length={length} isRunning={replay.running} />
        </section>
      }
      lanes={
        <Panel footer={<RecordingLine place={place} replay={replay} player={player} />}>
          <LanesPicture
            session={session}
            moments={moments}
            recorded={recorded}
            profiles={profiles}
            notes={noted}
            playhead={playback}
            profileLink={(profile) => <ProfileBar profile={profile} />}
            onSeek={played.seek}
          />
        </Panel>
      }
      detail={<Detail moment={moment} entry={entry} profiles={profiles} />}
      panel={
        <WhenListed timeline={timeline}>
          {(data) => (
            <EventPanel
              session={session}
              moments={moments}
              listed={listed}
              search={search}
              onSearch={onSearch}
              timeline={data}
              playhead={playback}
              onChoose={played.choose}
              details={details}
              onChooseEntry={(next) => played.seek(next.at, next.event.id)}
              onSeek={played.seek}
              notes={{
                count: noted.length,
                content: (
                  <ReplayNotes
                    place={place}
                    sessionStart={sessionStart}
                    played={played}
                    lines={noted}
                    onWrite={player.pause}
                  />
                ),
              }}
              footer={profiles.length > 0 && <ProfileAt profiles={profiles} playhead={playback} />}
            />
          )}
        </WhenListed>
      }
    />
  )
}
