import { type EventRow, eventColumns } from '../../intake/events/queries.ts'
import { isLatestVital } from '../explore/latest-vitals.ts'
import type { Question } from '../explore/question.ts'
import { renderForEvents } from '../explore/render-filter.ts'

export interface TimelineRow extends EventRow {
  tab_id: string
  action_id: string
  trace_id: string
  frustration: string[]
  res_type: string
  res_method: string
  res_host: string
  res_size: number
  err_group: string
  err_handled: number
  err_stack: string
  blocking: number
  scripts: [source: string, name: string, ms: number][]
}

/** Regardless of the period, in order of time. */
export async function findTimeline(
  question: Question,
  { id, after, count }: { id: string; after: { at: number; id: string } | undefined; count: number },
): Promise<TimelineRow[]> {
  const { bind } = question
  const mark = after && [bind(after.at, 'Int64'), bind(after.id, 'UUID')]
  const later = mark && [`(ts, event_id) > (fromUnixTimestamp64Milli(${mark[0]}), ${mark[1]})`]
  const ofSession = `session_id = ${bind(id, 'UUID')}`
  // A request for one session includes bots.
  const wanted = renderForEvents({ ...question, ofSession }, bind).filter(
    (condition) => condition !== 'bot = 0',
  )
  const latest = isLatestVital('environment_id = {environment:UUID}', ofSession)
  const rows = question.rowsOf('events', ofSession, latest, ...wanted, ...(later ?? []))
  return question.read<TimelineRow>(
    `SELECT ${eventColumns}, tab_id, action_id, trace_id, frustration, res_type, res_method, res_host, res_size, err_group,
      err_handled, err_stack, blocking, arrayMap(x -> (x.1, x.2, x.3), scripts) AS scripts
    FROM ${rows} ORDER BY ts, event_id LIMIT ${bind(count, 'UInt32')}`,
  )
}
