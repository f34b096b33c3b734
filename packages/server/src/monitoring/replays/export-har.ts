// The requests of a session as an HTTP archive: its events, and what its recording contains of them.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type HarDetail, type HarResource, type HarView, writeHar } from '@telltale/core/telemetry/har'
import { findTimeline, type TimelineRow } from '../sessions/timeline-queries.ts'
import { listDetails } from './list-details.ts'
import type { SegmentSource } from './read-segments.ts'

/** As many as the console shows of a session. */
const eventsAtMost = 20_000
/** Bounds the size of the archive: bodies of requests have up to 16 kB. */
const detailsAtMost = 5_000

export async function exportHar(
  source: SegmentSource,
  { session, version }: { session: string; version: string },
): Promise<Buffer> {
  const rows = await findAll(source, session)
  if (rows.length === 0) throw problem('not-found', 'The session has no events, or they were deleted.')
  const details = await findDetails(source, session)
  const views = rows.filter(({ kind }) => kind === 'view').map(toView)
  const resources = rows.filter(({ kind }) => kind === 'resource').map(toResource)
  return Buffer.from(JSON.stringify(writeHar({ views, resources, details, version }), null, 1))
}

async function findAll({ question }: SegmentSource, id: string): Promise<TimelineRow[]> {
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

async function findDetails(source: SegmentSource, session: string): Promise<HarDetail[]> {
  const details: HarDetail[] = []
  let from: number | null = 0
  while (from !== null && details.length < detailsAtMost) {
    const part = await listDetails(source, { session, from })
    for (const { request } of part.items) {
      if (request === null) continue
      const { url: address, startedAt, request: sent, response, ...about } = request
      const messages = { request: toPairs(sent), response: toPairs(response) }
      details.push({ ...about, address, startedAt: Date.parse(startedAt), ...messages })
    }
    from = part.next
  }
  return details
}

function toPairs<Message extends { headers: { name: string; value: string }[] }>(message: Message) {
  const headers = message.headers.map(({ name, value }): [string, string] => [name, value])
  return { ...message, headers }
}

const toView = ({ view_id: id, page, url, at }: TimelineRow): HarView => ({
  id,
  title: page || url,
  at: Number(at),
})

const toResource = (row: TimelineRow): HarResource => ({
  view: row.view_id,
  at: Number(row.at),
  type: row.res_type,
  method: row.res_method,
  url: row.target,
  status: row.res_status,
  duration: row.duration,
  size: row.res_size,
})
