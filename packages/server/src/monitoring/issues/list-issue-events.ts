import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listIssueEvents as listIssueEventsCall } from '@telltale/core/contract/issues'
import { noId } from '@telltale/core/telemetry/row-text'
import { parseComponentStack, parseStack } from '@telltale/core/telemetry/stack'
import { type EventMark, readMark } from '../../intake/events/event-mark.ts'
import { type StackMapper, toOriginalStack } from '../../intake/source-maps/map-frames.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Question } from '../explore/question.ts'
import type { FoundIssue } from './queries.ts'
import { inGroups, isError } from './seen-errors.ts'

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
  service: string
  trace_id: string
  err_type: string
  err_message: string
  err_stack: string
  page: string
  url: string
  source: string
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
  services: { stackMapper: StackMapper },
  question: Question,
  {
    issue,
    projectId,
    query,
  }: { issue: FoundIssue; projectId: string; query: QueryOf<typeof listIssueEventsCall> },
): Promise<Reply> {
  const { items, next } = await readPage(query, {
    find: (after, count) =>
      findErrors(question, issue.groups, {
        ...(after !== undefined && { beyond: readMark(after) }),
        order: 'newest',
        count,
      }),
    keyOf: ({ at, event_id: id }) => `${at} ${id}`,
    toItem: (row) => row,
  })
  return { items: await mapErrors(services, projectId, items), next }
}

export async function mapErrors(
  { stackMapper }: { stackMapper: StackMapper },
  projectId: string,
  rows: readonly ErrorRow[],
): Promise<Reply['items']> {
  const stacks = rows.flatMap(({ version, url: page, err_stack: stack, attrs: { componentStack = '' } }) => [
    { version, page, frames: parseStack(stack) },
    { version, page, frames: parseComponentStack(componentStack) },
  ])
  const mapped = await stackMapper.map(projectId, stacks)
  return rows.map((row, index) => ({
    ...toItem(row),
    frames: mapped[2 * index] ?? [],
    originalComponentStack: toOriginalStack(mapped[2 * index + 1] ?? []),
  }))
}

interface ErrorsWanted {
  order: 'newest' | 'oldest'
  /** Only events after this one in the order. */
  beyond?: EventMark
  id?: string
  count: number
}

export async function findErrors(
  question: Question,
  groups: readonly string[],
  { order, beyond, id, count }: ErrorsWanted,
): Promise<ErrorRow[]> {
  const { bind } = question
  const [sign, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC']
  const mark = beyond && {
    at: `fromUnixTimestamp64Milli(${bind(beyond.at, 'Int64')})`,
    id: bind(beyond.id, 'UUID'),
  }
  const conditions = [
    isError,
    inGroups(groups),
    ...(mark ? [`(ts ${sign} ${mark.at} OR (ts = ${mark.at} AND event_id ${sign} ${mark.id}))`] : []),
    ...(id === undefined ? [] : [`event_id = ${bind(id, 'UUID')}`]),
  ]
  return question.read<ErrorRow>(
    `SELECT event_id, toString(toUnixTimestamp64Milli(ts)) AS at, session_id, view_id, user_key, anonymous_id, name, err_handled,
      err_type, err_message, err_stack, page, url, source, service, trace_id, version, browser, browser_version, os, device, country, has_replay, flags, attrs
    FROM ${question.events(...conditions)} ORDER BY ts ${direction}, event_id ${direction} LIMIT ${bind(count, 'UInt32')}`,
  )
}

function toItem(row: ErrorRow): Omit<Reply['items'][number], 'frames' | 'originalComponentStack'> {
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
    client: row.source,
    service: row.service,
    traceId: row.trace_id,
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
