import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listReplayMoments } from '@telltale/core/contract/replays'
import { noId } from '@telltale/core/telemetry/row-text'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import {
  findMomentEvents,
  findMomentSessions,
  type MomentEventRow,
  type PickedMoment,
  pickMoments,
} from './moment-queries.ts'

type Reply = ReplyOf<typeof listReplayMoments>
type Moment = Reply['items'][number]

/** Default number of moments. */
const few = 3

export async function listMoments(
  question: Question,
  { of = 'any', limit = few }: QueryOf<typeof listReplayMoments>,
): Promise<Reply> {
  const picked = await pickMoments(question, { kind: of, count: limit })
  const total = Number(picked[0]?.total ?? 0)
  if (picked.length === 0) return { ...periodOf(question), items: [], total }
  const [events, sessions] = await Promise.all([
    findMomentEvents(question, picked),
    findMomentSessions(
      question,
      picked.map(({ session_id: id }) => id),
    ),
  ])
  const eventOf = new Map(events.map((event) => [event.event_id, event]))
  const sessionOf = new Map(sessions.map((session) => [session.session_id, session]))
  const items = picked.flatMap((moment): Moment[] => {
    const event = eventOf.get(moment.event_id)
    const session = sessionOf.get(moment.session_id)
    // Deleted or expired between the two reads.
    if (event === undefined || session === undefined) return []
    return [
      {
        ...toPlace(moment, event, Number(session.started_at)),
        event: toEvent(event),
        userKey: session.user_key,
        anonymousId: session.anonymous_ids[0] ?? '',
        browser: session.browser,
        os: session.os,
        device: session.device,
        country: session.country,
      },
    ]
  })
  return { ...periodOf(question), items, total }
}

function toPlace(moment: PickedMoment, event: MomentEventRow, startedAt: number) {
  const [at, from, to] = [Number(moment.at), Number(moment.recorded_from), Number(moment.recorded_to)]
  return {
    session: moment.session_id,
    tab: event.tab_id === noId ? null : event.tab_id,
    at: new Date(at).toISOString(),
    offset: Math.max(0, Math.round(at - leadOf(event) - startedAt)),
    covered: moment.is_covered === 1,
    replay: { startedAt: new Date(from).toISOString(), length: to - from, kept: moment.is_kept === 1 },
  }
}

/** For loading vitals, playback starts where loading began, not at the value's timestamp. */
const loads = new Set(['LCP', 'FCP', 'TTFB'])
const leadOf = ({ kind, name, value }: MomentEventRow) => (kind === 'vital' && loads.has(name) ? value : 0)

function toEvent(row: MomentEventRow): Moment['event'] {
  return {
    id: row.event_id,
    kind: row.kind,
    page: row.page,
    url: row.url,
    name: row.name,
    value: row.value,
    duration: row.duration,
    target: row.target,
    frustration: row.frustration,
    method: row.res_method,
    host: row.res_host,
    endpoint: row.res_endpoint,
    status: row.res_status,
    failed: row.res_failed === 1,
    errorType: row.err_type,
    errorMessage: row.err_message,
    blocking: row.blocking,
    flags: row.flags,
  }
}
