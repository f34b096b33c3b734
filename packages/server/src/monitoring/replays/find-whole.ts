// All events of a session, and all request details of its recording, for exports.

import { limits } from '@telltale/core/limits'
import type { HarDetail } from '@telltale/core/telemetry/har'
import { findTimeline, type TimelineRow } from '../sessions/timeline-queries.ts'
import { listDetails } from './list-details.ts'
import type { SegmentSource } from './read-segments.ts'

/** As many as the console shows of a session. */
const eventsAtMost = 20_000
/** Bounds the size of an export: bodies of requests have up to 16 kB. */
const detailsAtMost = 5_000

export async function findEvents(
  { question }: Pick<SegmentSource, 'question'>,
  id: string,
): Promise<TimelineRow[]> {
  const rows: TimelineRow[] = []
  let after: { at: number; id: string } | undefined
  do {
    const page = await findTimeline(question, { id, after, count: limits.sessionEventsPage })
    rows.push(...page)
    const last = page.length < limits.sessionEventsPage ? undefined : page.at(-1)
    after = last && { at: Number(last.at), id: last.event_id }
  } while (after !== undefined && rows.length < eventsAtMost)
  return rows
}

export interface FoundDetail extends HarDetail {
  tab: string
}

export async function findDetails(source: SegmentSource, session: string): Promise<FoundDetail[]> {
  const details: FoundDetail[] = []
  let from: number | null = 0
  while (from !== null && details.length < detailsAtMost) {
    const part = await listDetails(source, { session, from })
    for (const { request, tab } of part.items) {
      if (request === null) continue
      const { url: address, startedAt, request: sent, response, ...about } = request
      const messages = { request: toPairs(sent), response: toPairs(response) }
      details.push({ ...about, address, tab, startedAt: Date.parse(startedAt), ...messages })
    }
    from = part.next
  }
  return details
}

function toPairs<Message extends { headers: { name: string; value: string }[] }>(message: Message) {
  const headers = message.headers.map(({ name, value }): [string, string] => [name, value])
  return { ...message, headers }
}
