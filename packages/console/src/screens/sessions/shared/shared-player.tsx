import { useMemo, useState } from 'react'
import type { Replay } from '../../../api/replays.ts'
import type { Session } from '../../../api/sessions.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { fullCountText, lengthText } from '../../../ui/text/measure-text.ts'
import { Time } from '../../../ui/text/time.tsx'
import { AddressBar } from '../replay/address-bar.tsx'
import { ControlBar } from '../replay/control-bar.tsx'
import type { StagedPlayer } from '../replay/create-player.ts'
import { recordedSpans } from '../replay/recorded-spans.ts'
import { StageFrame } from '../replay/stage-frame.tsx'
import { usePlayback } from '../replay/use-playback.ts'
import { usePlayerState } from '../replay/use-player.ts'
import { deviceText, frustrationText, many } from '../session-words.ts'
import type { SessionSearch } from '../sessions-search.ts'
import { KindFilter } from '../timeline/kind-filter.tsx'
import { LanesPicture } from '../timeline/lanes-picture.tsx'
import { type SessionParts, WhenListed } from '../timeline/listed-session.tsx'
import { MomentList } from '../timeline/moment-list.tsx'
import { type Moment, momentAt } from '../timeline/moments.ts'
import { type Playhead, standAt } from '../timeline/playhead-place.ts'

export type SharedViewProps = Omit<SessionParts, 'profiles'>

/** The picture, the lanes and the list of events, with one playhead. */
export function SharedPlayer(props: SharedViewProps & { replay: Replay; player: StagedPlayer }) {
  const { session, moments, listed, replay, player } = props
  const sessionStart = Date.parse(session.startedAt)
  const played = usePlayback({ player, sessionStart, moments, listed, isInAddress: false })
  const { playback } = played
  const gaps = usePlayerState(player, (state) => state.gaps)
  const recorded = useMemo(() => recordedSpans({ replay, gaps, sessionStart }), [replay, gaps, sessionStart])
  const length = Math.max(session.length, recorded.to)
  return (
    <Columns
      {...props}
      playhead={playback}
      onChoose={played.choose}
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
        <LanesPicture
          session={session}
          moments={moments}
          recorded={recorded}
          playhead={playback}
          onSeek={played.seek}
        />
      }
    />
  )
}

/** The events alone: the recording was deleted, or there never was one. */
export function SharedList(props: SharedViewProps) {
  const { session, moments } = props
  const [moment, setMoment] = useState<Moment>()
  const playhead = useMemo(() => standAt(moment), [moment])
  const seek = (at: number) => setMoment(moments[Math.max(0, momentAt(moments, at))])
  return (
    <Columns
      {...props}
      playhead={playhead}
      onChoose={setMoment}
      top={<Notice tone="plain" title="No recording" detail="It was deleted, or there never was one." />}
      lanes={<LanesPicture session={session} moments={moments} playhead={playhead} onSeek={seek} />}
    />
  )
}

type ColumnsProps = SharedViewProps & {
  playhead: Playhead
  onChoose: (moment: Moment) => void
  top: React.ReactNode
  lanes: React.ReactNode
}

function Columns(props: ColumnsProps) {
  const { session, timeline, moments, listed, search, playhead, onChoose } = props
  const onSearch = (change: SessionSearch) => props.onSearch(change)
  return (
    <div className="grid min-w-0 items-start gap-16 *:min-w-0 full:grid-cols-[minmax(0,1fr)_352px]">
      <div className="full:col-span-2 max-full:order-1">
        <Outcome session={session} />
      </div>
      <div className="grid gap-12 *:min-w-0">
        {props.top}
        <Panel>{props.lanes}</Panel>
      </div>
      <div className="max-full:order-2">
        <WhenListed timeline={timeline}>
          {({ isCut }) => (
            <Panel title="Events" note={fullCountText(moments.length)} flush>
              <KindFilter moments={moments} listed={listed} search={search} onSearch={onSearch} />
              <MomentList
                label="Events, oldest first"
                moments={listed}
                playhead={playhead}
                onChoose={onChoose}
              />
              {isCut && (
                <p className="border-line border-t px-14 py-8 text-12 text-text-2">
                  The first {fullCountText(moments.length)} of {fullCountText(session.events)} events.
                </p>
              )}
            </Panel>
          )}
        </WhenListed>
      </div>
    </div>
  )
}

/** Device, time and outcome; never who it was. */
function Outcome({ session }: { session: Session }) {
  const troubles = [
    many(session.errors, 'error'),
    many(session.failedRequests, 'failed request'),
    frustrationText(session),
  ].filter((text) => text !== '')
  return (
    <div className="flex flex-wrap items-center gap-x-18 gap-y-6">
      <span className="text-text-2">{deviceText(session)}</span>
      {troubles.map((text) => (
        <span key={text} className="inline-flex items-center gap-4 font-medium text-bad">
          <Icon name="warning" />
          {text}
        </span>
      ))}
      {troubles.length === 0 && <span className="text-ok">No issues</span>}
      <span className="ml-auto text-text-2 max-full:ml-0">
        {lengthText(session.length)} from <Time at={session.startedAt} />
        {session.version && `, version ${session.version}`}
      </span>
    </div>
  )
}
