import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Question } from '../../api/question.ts'
import { type MomentsOf, type ReplayMoment, replayMomentsQuery } from '../../api/replay-moments.ts'
import { useScope } from '../../shell/scope-context.ts'
import { parseTimeRange } from '../../shell/time-range.ts'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Skeleton } from '../../ui/states.tsx'
import { countText, lengthText } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'
import { eventText } from '../events/event-text.ts'

type ReplayMomentsProps = {
  title: string
  note?: ReactNode
  /** Its filter selects the moments. */
  question: Question
  of: MomentsOf
  limit?: number
  /** Text when nothing matching is recorded. */
  none?: string
}

const few = 3

/** Recorded sessions with a matching moment, each a link to that moment. */
export function ReplayMoments({ title, note, question, of, limit = few, none }: ReplayMomentsProps) {
  const moments = useQuery(replayMomentsQuery(question, { of, limit }))
  const total = moments.data?.total ?? 0
  return (
    <Panel
      title={title}
      note={note}
      flush
      {...(total > (moments.data?.items.length ?? 0) && {
        footer: <AllRecorded question={question} of={of} total={total} />,
      })}
    >
      <Async
        of={moments}
        loading={<Skeleton rows={limit} label="Loading the replays" />}
        isEmpty={({ items }) => items.length === 0}
        empty={<p className="px-14 py-12 text-text-2">{none ?? 'No recordings.'}</p>}
      >
        {({ items }) => (
          <ul>
            {items.map((moment) => (
              <li key={moment.session} className="border-line border-b last:border-b-0">
                <MomentLink moment={moment} env={question.env} />
              </li>
            ))}
          </ul>
        )}
      </Async>
    </Panel>
  )
}

function MomentLink({ moment, env }: { moment: ReplayMoment; env: string }) {
  const { project } = useScope()
  const { session, offset, event, userKey, at } = moment
  return (
    <Link
      to="/p/$project/sessions/$session"
      params={{ project, session }}
      search={{ env }}
      hash={playheadOf(offset)}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-10 px-14 py-8 hover:bg-hover"
    >
      <Icon name="session" className="mt-2 size-16 text-accent" />
      <span className="grid min-w-0 gap-2">
        <span className="sr-only">Watch </span>
        <span className="truncate" title={eventText(event).slice(0, 300)}>
          {eventText(event)}
        </span>
        <span className="flex min-w-0 flex-wrap gap-x-8 text-12 text-text-3">
          <span className="max-w-[20ch] truncate">{userKey || 'guest'}</span>
          <TimeAgo at={at} />
          <span>{recordedText(moment)}</span>
        </span>
      </span>
    </Link>
  )
}

/** A recording that started later only shows what followed. */
function recordedText({ covered, replay, at }: ReplayMoment): string {
  if (covered) return `${lengthText(replay.length)} recorded${replay.kept ? ', kept' : ''}`
  return Date.parse(replay.startedAt) > Date.parse(at) ? 'recording starts later' : 'recording ends earlier'
}

/** The moment of a session as in the URL; `offset` is relative to the start of the session. */
export const playheadOf = (offset: number) => `t=${Number((offset / 1_000).toFixed(3))}`

/** A filter for sessions with such a moment; undefined where no filter can express it. */
const chipOf: Readonly<Record<MomentsOf, string | undefined>> = {
  any: '',
  error: 'kind:error',
  frustration: 'frustration:*',
  request: 'kind:resource',
  exposure: 'kind:exposure',
  slow: undefined,
}

type AllRecordedProps = { question: Question; of: MomentsOf; total: number }

function AllRecorded({ question, of, total }: AllRecordedProps) {
  const { project } = useScope()
  const chip = chipOf[of]
  const q = [question.filter, chip ?? '', 'replay-length:>0'].filter((part) => part !== '').join(' ')
  return (
    <Link
      to="/p/$project/sessions"
      params={{ project }}
      search={{ env: question.env, t: parseTimeRange(question.range), q }}
      className="text-accent hover:underline"
    >
      {chip === undefined
        ? 'All recorded sessions, slow or not'
        : `All ${countText(total)} recorded sessions`}
    </Link>
  )
}
