import type { ReplyOf } from '@telltale/core/contract/call'
import type {
  getSpan as getSpanCall,
  getTrace as getTraceCall,
  TraceSpan,
} from '@telltale/core/contract/traces'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { spanKinds, spanStatuses } from '@telltale/core/otlp-names'
import { noId } from '@telltale/core/telemetry/row-text'
import type { Question } from '../explore/question.ts'
import { instantOfMicroseconds, type TraceExtent } from '../explore/span-time.ts'
import { findLogsOfTrace, toLog } from '../logs/queries.ts'
import { toSummary } from './list-traces.ts'
import {
  findSpan,
  findSpans,
  findTraceErrors,
  findTraceRequests,
  findTraceRows,
  type SpanRow,
  type TraceRow,
} from './queries.ts'

export async function getTrace(question: Question, trace: string): Promise<ReplyOf<typeof getTraceCall>> {
  const { row, extent } = await findExtent(question, trace)
  const [spans, errors, requests, logs] = await Promise.all([
    findSpans(question, extent),
    findTraceErrors(question, extent),
    findTraceRequests(question, extent),
    findLogsOfTrace(question, extent),
  ])
  const sinceStart = (at: string) => Number(at) - extent.started / 1_000
  const summary = toSummary(row)
  return {
    ...summary,
    spanList: spans.map((span) => toSpan(span, extent)),
    left: spans.length < limits.traceSpansShown ? 0 : Math.max(0, summary.spans - spans.length),
    errorList: errors.map((error) => ({ ...error, at: sinceStart(error.at), handled: error.handled === 1 })),
    requests: requests.map(({ session, ...request }) => ({
      ...request,
      session: session === noId ? null : session,
      at: sinceStart(request.at),
    })),
    logs: logs.map(toLog),
  }
}

export async function getSpan(
  question: Question,
  { trace, span: spanId }: { trace: string; span: string },
): Promise<ReplyOf<typeof getSpanCall>> {
  const { extent } = await findExtent(question, trace)
  const row = await findSpan(question, extent, spanId)
  if (row === undefined) throw problem('not-found', 'The trace has no such span.')
  const { version, scope, statusMessage, userKey, session, flags, attrs, resource, cut } = row
  return {
    ...toSpan(row, extent),
    traceId: trace,
    startedAt: instantOfMicroseconds(row.ts),
    ...{ version, scope, statusMessage, userKey, flags, resource, cut },
    session: session === noId ? null : session,
    attributes: attrs,
    events: listOf(row.events).map(([at, name, attributes]) => ({
      at: instantOfMicroseconds(Number(at)),
      name: String(name),
      attributes: mapOf(attributes),
    })),
    links: listOf(row.links).map(([traceId, linked, attributes]) => ({
      traceId: String(traceId),
      spanId: String(linked),
      attributes: mapOf(attributes),
    })),
  }
}

async function findExtent(
  question: Question,
  trace: string,
): Promise<{ row: TraceRow; extent: TraceExtent }> {
  const [row] = await findTraceRows(question, [trace])
  if (row === undefined) throw problem('not-found', 'There is no such trace, or it is past its retention.')
  return { row, extent: { trace, started: Number(row.started), ended: Number(row.ended) } }
}

function toSpan({ ts, ...span }: SpanRow, { started }: TraceExtent): TraceSpan {
  const { spanId, parentId, service, name, duration, httpStatus, system } = span
  return {
    ...{ spanId, parentId, service, name, duration, httpStatus, system },
    kind: spanKinds.find((kind) => kind === span.kind) ?? 'unspecified',
    status: spanStatuses.find((status) => status === span.status) ?? 'unset',
    at: (Number(ts) - started) / 1_000,
  }
}

/** As the intake writes it. */
function listOf(text: string): unknown[][] {
  if (text === '') return []
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list.filter((each): each is unknown[] => Array.isArray(each)) : []
}

function mapOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}
