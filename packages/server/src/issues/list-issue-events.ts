import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listIssueEvents as listIssueEventsCall } from '@telltale/core/contract/issues'
import { noId } from '@telltale/core/telemetry/row-text'
import { parseStack } from '@telltale/core/telemetry/stack'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import { readPage } from '../http/page.ts'
import { type EventMark, readMark } from '../intake/event-mark.ts'
import { readPeriod } from '../intake/read-period.ts'
import type { Services } from '../services.ts'
import type { FoundIssue } from './queries.ts'
import type { ErrorScope } from './seen-errors.ts'

type Reply = ReplyOf<typeof listIssueEventsCall>

interface ErrorRow {
  event_id: string
  at: string
  session_id: string
  view_id: string
  user_key: string
  anonymous_id: string
  name: string
  err_handled: number
  err_type: string
  err_message: string
  err_stack: string
  page: string
  url: string
  version: string
  browser: string
  browser_version: string
  os: string
  device: string
  country: string
  has_replay: number
  flags: string[]
  attrs: Record<string, string>
}

export async function listIssueEvents(
  { telemetry, stackMapper }: Pick<Services, 'telemetry' | 'stackMapper'>,
  issue: FoundIssue,
  { projectId, query, now }: { projectId: string; query: QueryOf<typeof listIssueEventsCall>; now: Date },
): Promise<Reply> {
  const scope = { environmentId: issue.environmentId, ...readPeriod(query, now) }
  const { items, next } = await readPage(query, {
    find: (after, count) =>
      findErrors(telemetry, scope, {
        groups: issue.groups,
        before: after === undefined ? undefined : readMark(after),
        count,
      }),
    keyOf: ({ at, event_id: id }) => `${at} ${id}`,
    toItem: (row) => row,
  })
  const stacks = items.map(({ version, err_stack: stack }) => ({ version, frames: parseStack(stack) }))
  const frames = await stackMapper.map(projectId, stacks)
  return { items: items.map((row, index) => ({ ...toItem(row), frames: frames[index] ?? [] })), next }
}

async function findErrors(
  telemetry: Pick<Telemetry, 'read'>,
  { environmentId, from, to }: ErrorScope,
  { groups, before, count }: { groups: string[]; before: EventMark | undefined; count: number },
): Promise<ErrorRow[]> {
  const earlier =
    before === undefined
      ? ''
      : 'AND (ts < fromUnixTimestamp64Milli({at:Int64}) OR (ts = fromUnixTimestamp64Milli({at:Int64}) AND event_id < {id:UUID}))'
  return telemetry.read<ErrorRow>(
    `SELECT event_id, toString(toUnixTimestamp64Milli(ts)) AS at, session_id, view_id, user_key, anonymous_id, name, err_handled,
      err_type, err_message, err_stack, page, url, version, browser, browser_version, os, device, country, has_replay, flags, attrs
    FROM events WHERE environment_id = {environment:UUID} AND kind = 'error' AND bot = 0
      AND ts >= fromUnixTimestamp64Milli({from:Int64}) AND ts <= fromUnixTimestamp64Milli({to:Int64})
      AND has(arrayMap(g -> toUInt64(g), {groups:Array(String)}), err_group) ${earlier}
    ORDER BY ts DESC, event_id DESC LIMIT {count:UInt32}`,
    {
      values: {
        environment: environmentId,
        from: from.getTime(),
        to: to.getTime(),
        groups,
        count,
        ...(before !== undefined && { at: before.at, id: before.id }),
      },
    },
  )
}

function toItem(row: ErrorRow): Omit<Reply['items'][number], 'frames'> {
  return {
    id: row.event_id,
    at: new Date(Number(row.at)).toISOString(),
    session: row.session_id === noId ? null : row.session_id,
    view: row.view_id === noId ? null : row.view_id,
    userKey: row.user_key,
    anonymousId: row.anonymous_id,
    source: row.name,
    handled: row.err_handled === 1,
    type: row.err_type,
    message: row.err_message,
    stack: row.err_stack,
    page: row.page,
    url: row.url,
    version: row.version,
    browser: row.browser,
    browserVersion: row.browser_version,
    os: row.os,
    device: row.device,
    country: row.country,
    hasReplay: row.has_replay === 1,
    flags: row.flags,
    attributes: row.attrs,
  }
}
