import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Session, timelineQuery } from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { KeyCap } from '../../../ui/field.tsx'
import { countOf, lengthText } from '../../../ui/measure-text.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Peek } from '../../../ui/peek.tsx'
import { Skeleton, Trouble } from '../../../ui/states.tsx'
import { kindsOf, type SessionSearch } from '../sessions-search.ts'
import { useHasRoom } from '../use-has-room.ts'
import { EventPanel, listedAtFirst } from './event-panel.tsx'
import { LanesPicture } from './lanes-picture.tsx'
import { MomentDetail } from './moment-detail.tsx'
import { toMoments } from './moments.ts'
import { SessionHead } from './session-head.tsx'
import { type ChosenMoment, useMoment } from './use-moment.ts'

type SessionTimelineProps = {
  session: Session
  search: SessionSearch
  onSearch: (change: SessionSearch) => void
}

/** Lanes and detail to the left, the list of everything to the right; below each other where there is no room. */
export function SessionTimeline({ session, search, onSearch }: SessionTimelineProps) {
  const { project, environment } = useScope()
  const place = { project, env: environment.key }
  const timeline = useQuery(timelineQuery(place, { session: session.id, running: session.running }))
  const events = timeline.data?.events
  const moments = useMemo(() => toMoments(events ?? [], session.startedAt), [events, session.startedAt])
  const listed = useMemo(() => {
    const kinds = kindsOf({ kinds: search.kinds }) ?? listedAtFirst
    return moments.filter(({ kind }) => kinds.includes(kind))
  }, [moments, search.kinds])
  const chosen = useMoment(moments, listed)
  const { moment } = chosen
  const hasRoom = useHasRoom()
  const [isOpen, setOpen] = useState(false)

  return (
    <div className="grid min-w-0 gap-16">
      <SessionHead session={session} />
      <div className="grid min-w-0 items-start gap-16 full:grid-cols-[minmax(0,1fr)_340px]">
        <div className="grid min-w-0 gap-16">
          <Panel>
            <LanesPicture
              session={session}
              moments={moments}
              playhead={moment?.at}
              playheadText={moment?.title ?? ''}
              onSeek={chosen.seek}
            />
            <TimelineBar session={session} chosen={chosen} />
          </Panel>
          {hasRoom && <Detail chosen={chosen} />}
        </div>
        {timeline.error && !timeline.data && (
          <Trouble error={timeline.error} onRetry={() => void timeline.refetch()} />
        )}
        {!timeline.data && !timeline.error && <Skeleton rows={12} label="Loading the events" />}
        {timeline.data && (
          <EventPanel
            session={session}
            timeline={timeline.data}
            moments={moments}
            listed={listed}
            chosen={moment}
            search={search}
            onSearch={onSearch}
            onChoose={(next) => {
              chosen.choose(next)
              setOpen(true)
            }}
            onSeek={chosen.seek}
          />
        )}
      </div>
      {!hasRoom && isOpen && moment && (
        <Peek title="Event" onClose={() => setOpen(false)}>
          <MomentDetail moment={moment} />
        </Peek>
      )}
    </div>
  )
}

/** What is at the playhead, and the ways to the next trouble. */
function TimelineBar({ session, chosen: { moment, trouble } }: { session: Session; chosen: ChosenMoment }) {
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-6 pt-10">
      <span className="whitespace-nowrap">
        <strong className="font-strong">{lengthText(moment?.at ?? 0)}</strong>
        <span className="text-text-3"> / {lengthText(session.length)}</span>
      </span>
      <Button onClick={trouble.next} disabled={trouble.next === undefined}>
        Next trouble <KeyCap>n</KeyCap>
      </Button>
      <Button look="quiet" onClick={trouble.before} disabled={trouble.before === undefined}>
        Trouble before <KeyCap>N</KeyCap>
      </Button>
      <span className="ml-auto text-12 text-text-3 max-wide:ml-0">
        {session.hasReplay
          ? 'A recording exists. It cannot be played here yet.'
          : `Recording not sampled: ${countOf(session.events, 'event')} only`}
      </span>
    </div>
  )
}

function Detail({ chosen: { moment } }: { chosen: ChosenMoment }) {
  return (
    <Panel title="Event">
      {moment === undefined ? (
        <p className="py-8 text-text-2">
          Choose an event in the list, or a time above. <KeyCap always>j</KeyCap> <KeyCap always>k</KeyCap>{' '}
          walk through them.
        </p>
      ) : (
        <MomentDetail moment={moment} />
      )}
    </Panel>
  )
}
