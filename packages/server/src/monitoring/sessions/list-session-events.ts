import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listSessionEvents as listSessionEventsCall } from '@telltale/core/contract/sessions'
import { problem } from '@telltale/core/errors'
import { noId } from '@telltale/core/telemetry/row-text'
import { parseStack } from '@telltale/core/telemetry/stack'
import { validate as isId } from 'uuid'
import { toStoredEvent } from '../../intake/events/list-events.ts'
import { type StackMapper, toOriginalStack } from '../../intake/source-maps/map-frames.ts'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { findTimeline, type TimelineRow } from './timeline-queries.ts'

type Item = ReplyOf<typeof listSessionEventsCall>['items'][number]

export async function listSessionEvents(
  { stackMapper }: { stackMapper: StackMapper },
  question: Question,
  { id, projectId, query }: { id: string; projectId: string; query: QueryOf<typeof listSessionEventsCall> },
): Promise<ReplyOf<typeof listSessionEventsCall>> {
  const { items, next } = await readPage(query, {
    find: (cursor, count) =>
      findTimeline(question, { id, after: cursor === undefined ? undefined : readAfter(cursor), count }),
    keyOf: ({ at, event_id: event }) => JSON.stringify([Number(at), event]),
    toItem: (row) => row,
  })
  // Few events have a stack, and most pages of a long session have none.
  const thrown = items.filter(({ err_stack }) => err_stack !== '')
  const stacks = thrown.map(({ version, url: page, err_stack }) => ({
    version,
    page,
    frames: parseStack(err_stack),
  }))
  const mapped = stacks.length === 0 ? [] : await stackMapper.map(projectId, stacks)
  const frames = new Map(thrown.map((row, index) => [row, mapped[index] ?? []]))
  return { items: items.map((row) => toItem(row, frames.get(row) ?? [])), next }
}

function readAfter(cursor: string): { at: number; id: string } {
  const { sorted, texts } = readMark(cursor, 1)
  const [id = ''] = texts
  if (Number.isSafeInteger(sorted) && sorted >= 0 && isId(id)) return { at: sorted, id }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}

type MappedStack = Awaited<ReturnType<StackMapper['map']>>[number]

function toItem(row: TimelineRow, frames: MappedStack): Item {
  return {
    ...toStoredEvent(row),
    tab: row.tab_id === noId ? null : row.tab_id,
    action: row.action_id === noId ? null : row.action_id,
    traceId: row.trace_id,
    frustration: row.frustration,
    resourceType: row.res_type,
    method: row.res_method,
    host: row.res_host,
    size: row.res_size,
    issue: row.kind === 'error' ? row.err_group : null,
    handled: row.err_handled === 1,
    stack: row.err_stack,
    originalStack: toOriginalStack(frames),
    blocking: row.blocking,
    scripts: row.scripts.map(([source, name, ms]) => ({ source, function: name, ms })),
  }
}
