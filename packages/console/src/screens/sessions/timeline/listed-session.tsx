import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import type { Replay } from '../../../api/replays.ts'
import type { Session, Timeline } from '../../../api/sessions.ts'
import { Button } from '../../../ui/button.tsx'
import { KeyCap } from '../../../ui/form/field.tsx'
import { Peek } from '../../../ui/overlay/peek.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import type { DetailEntry } from '../details/detail-entries.ts'
import { RecordedDetail } from '../details/recorded-detail.tsx'
import { useEventEntries } from '../details/use-details.ts'
import { NoRecording } from '../replay/no-recording.tsx'
import type { SessionSearch } from '../sessions-search.ts'
import { useHasRoom } from '../use-has-room.ts'
import { EventPanel } from './event-panel.tsx'
import type { ProfiledSpan } from './lanes.ts'
import { LanesPicture } from './lanes-picture.tsx'
import { MomentDetail } from './moment-detail.tsx'
import type { Moment } from './moments.ts'
import { printPlayhead, readPlayhead } from './playhead.ts'
import { standAt } from './playhead-place.ts'
import { ProfileAt, ProfileBar } from './profile-link.tsx'
import { SessionLayout } from './session-layout.tsx'
import type { ChosenMoment } from './use-moment-walk.ts'
import { useMomentWalk } from './use-moment-walk.ts'

/** Data of every session, recorded or not. */
export interface SessionParts {
  session: Session
  timeline: Pick<UseQueryResult<Timeline>, 'data' | 'error' | 'refetch'>
  moments: readonly Moment[]
  listed: readonly Moment[]
  profiles: readonly ProfiledSpan[]
  search: SessionSearch
  onSearch: (change: SessionSearch) => void
}

type ListedSessionProps = SessionParts & {
  replay: Pick<UseQueryResult<Replay>, 'error' | 'refetch'>
}

/** A session with only its events: without a recording, or until it is loaded. */
export function ListedSession(props: ListedSessionProps) {
  const { session, timeline, moments, listed, profiles, search, onSearch, replay } = props
  const chosen = useMoment(moments, listed)
  const { moment, playhead } = chosen
  const details = useEventEntries({ moments, sessionStart: Date.parse(session.startedAt), search })
  const hasRoom = useHasRoom()
  const [isOpen, setOpen] = useState(false)

  return (
    <>
      <SessionLayout
        session={session}
        top={<InPlaceOfPlayer session={session} replay={replay} />}
        lanes={
          <Panel>
            <LanesPicture
              session={session}
              moments={moments}
              playhead={playhead}
              profiles={profiles}
              profileLink={(profile) => <ProfileBar profile={profile} />}
              onSeek={chosen.seek}
            />
            <TroubleBar session={session} chosen={chosen} />
          </Panel>
        }
        detail={hasRoom && <Detail moment={moment} profiles={profiles} />}
        panel={
          <WhenListed timeline={timeline}>
            {(data) => (
              <EventPanel
                session={session}
                moments={moments}
                listed={listed}
                playhead={playhead}
                search={search}
                onSearch={onSearch}
                timeline={data}
                onChoose={(next) => {
                  chosen.choose(next)
                  setOpen(true)
                }}
                details={details}
                onChooseEntry={({ moment: next }) => {
                  if (next) chosen.choose(next)
                  setOpen(true)
                }}
                onSeek={chosen.seek}
                footer={profiles.length > 0 && <ProfileAt profiles={profiles} playhead={playhead} />}
              />
            )}
          </WhenListed>
        }
      />
      {!hasRoom && isOpen && moment && (
        <Peek title="Event" onClose={() => setOpen(false)}>
          <MomentDetail moment={moment} profiles={profiles} />
        </Peek>
      )}
    </>
  )
}

type WhenListedProps = Pick<SessionParts, 'timeline'> & { children: (timeline: Timeline) => React.ReactNode }

export function WhenListed({ timeline, children }: WhenListedProps) {
  if (timeline.data) return children(timeline.data)
  if (timeline.error) {
    return <Trouble error={timeline.error} onRetry={() => void timeline.refetch()} />
  }
  return <Skeleton rows={12} label="Loading the events" />
}

function InPlaceOfPlayer({ session, replay }: Pick<ListedSessionProps, 'session' | 'replay'>) {
  if (replay.error && toProblem(replay.error).status === 404) return <NoRecording session={session} />
  if (replay.error) {
    return (
      <Panel>
        <Trouble error={replay.error} onRetry={() => void replay.refetch()} />
      </Panel>
    )
  }
  // Without signs of a recording, there is most likely none.
  if (!session.hasReplay) return null
  return (
    <Panel flush>
      <div className="aspect-[16/9]">
        <Skeleton rows={9} label="Loading the recording" />
      </div>
    </Panel>
  )
}

/** The event at the playhead, and the buttons to the next problem. */
function TroubleBar({ session, chosen }: { session: Session; chosen: ChosenMoment }) {
  const { moment, trouble } = chosen
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-6 pt-10">
      <span className="whitespace-nowrap">
        <strong className="font-strong">{lengthText(moment?.at ?? 0)}</strong>
        <span className="text-text-3"> / {lengthText(session.length)}</span>
      </span>
      <Button onClick={trouble.next} disabled={trouble.next === undefined}>
        Next issue <KeyCap>n</KeyCap>
      </Button>
      <Button look="quiet" onClick={trouble.before} disabled={trouble.before === undefined}>
        Previous issue <KeyCap>N</KeyCap>
      </Button>
    </div>
  )
}

type DetailProps = {
  moment: Moment | undefined
  /** Of the list Console or Network, while it is open. */
  entry?: DetailEntry | undefined
  profiles: readonly ProfiledSpan[]
}

export function Detail({ moment, entry, profiles }: DetailProps) {
  if (entry?.detail) {
    return (
      <Panel title={entry.detail.request ? 'Request' : 'Console message'}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
          {entry.moment && <MomentDetail moment={entry.moment} profiles={profiles} />}
          <RecordedDetail entry={entry} />
        </div>
      </Panel>
    )
  }
  return (
    <Panel title="Event">
      {moment === undefined ? (
        <p className="py-8 text-text-2">
          Choose an event in the list, or a time above. <KeyCap always>j</KeyCap> <KeyCap always>k</KeyCap>{' '}
          move through them.
        </p>
      ) : (
        <MomentDetail moment={moment} profiles={profiles} />
      )}
    </Panel>
  )
}

/** The playhead of a session without a recording: the moment in the URL, and the navigation from it. */
function useMoment(moments: readonly Moment[], listed: readonly Moment[]): ChosenMoment {
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const index = readPlayhead(hash, moments)
  const moment = index === undefined ? undefined : moments[index]
  const playhead = useMemo(() => standAt(moment), [moment])

  const go = (to: number) => {
    // Navigation within a session replaces the history entry, so that Back leaves the session.
    void navigate({
      to: '.',
      search: true,
      hash: printPlayhead(moments, to),
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    })
  }
  return { ...useMomentWalk({ moments, listed, index, go }), playhead }
}
