import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listEvents as listEventsCall } from '@telltale/core/contract/intake'
import { noId } from '@telltale/core/telemetry/row-text'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from './event-mark.ts'
import { type EventRow, findEvents } from './queries.ts'
import { readPeriod } from './read-period.ts'

type Item = ReplyOf<typeof listEventsCall>['items'][number]

export async function listEvents(
  telemetry: Telemetry,
  environmentId: string,
  { query, users, now }: { query: QueryOf<typeof listEventsCall>; users?: readonly string[]; now: Date },
): Promise<ReplyOf<typeof listEventsCall>> {
  const { kind, session, user } = query
  const requested = users ?? (user === undefined ? undefined : [user])
  const filter = { environmentId, kind, session, users: requested, ...readPeriod(query, now) }
  return readPage(query, {
    find: (after, count) =>
      findEvents(telemetry, filter, { before: after === undefined ? undefined : readMark(after), count }),
    keyOf: ({ at, event_id: id }) => `${at} ${id}`,
    toItem: toStoredEvent,
  })
}

export function toStoredEvent(row: EventRow): Item {
  return {
    id: row.event_id,
    kind: row.kind,
    at: instantOf(row.at),
    receivedAt: instantOf(row.received),
    session: row.session_id === noId ? null : row.session_id,
    view: row.view_id === noId ? null : row.view_id,
    userKey: row.user_key,
    anonymousId: row.anonymous_id,
    service: row.service,
    version: row.version,
    page: row.page,
    url: row.url,
    country: row.country,
    browser: row.browser,
    browserVersion: row.browser_version,
    os: row.os,
    device: row.device,
    bot: row.bot === 1,
    name: row.name,
    value: row.value,
    duration: row.duration,
    target: row.target,
    endpoint: row.res_endpoint,
    status: row.res_status,
    failed: row.res_failed === 1,
    errorType: row.err_type,
    errorMessage: row.err_message,
    flags: row.flags,
    attributes: row.attrs,
  }
}

const instantOf = (milliseconds: string) => new Date(Number(milliseconds)).toISOString()
