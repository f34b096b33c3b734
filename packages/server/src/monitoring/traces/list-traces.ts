import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listTraces as listTracesCall, TraceSummary } from '@telltale/core/contract/traces'
import { readPage } from '../../platform/http/page.ts'
import { readMark } from '../explore/mark.ts'
import type { Question } from '../explore/question.ts'
import { instantOfMicroseconds } from '../explore/span-time.ts'
import { findMatchedTraces, findTraceRows, type MatchedTrace, type TraceRow } from './queries.ts'

export async function listTraces(
  question: Question,
  query: QueryOf<typeof listTracesCall>,
): Promise<ReplyOf<typeof listTracesCall>> {
  const summaries = new Map<string, TraceSummary>()
  const page = await readPage(query, {
    find: async (cursor, count) => {
      const after = cursor === undefined ? undefined : readAfter(cursor)
      const rows = await findMatchedTraces(question, { after, count })
      const traces = await findTraceRows(
        question,
        rows.map(({ trace }) => trace),
      )
      for (const row of traces) summaries.set(row.trace, toSummary(row))
      return rows
    },
    keyOf: ({ latest, trace }) => JSON.stringify([Number(latest), trace]),
    toItem: (row) => ({ ...(summaries.get(row.trace) ?? summaryOf(row)), matched: toMatched(row) }),
  })
  return page
}

function readAfter(cursor: string) {
  const { sorted, texts } = readMark(cursor, 1)
  return { latest: sorted, trace: texts[0] ?? '' }
}

export function toSummary({ trace, started, ended, spans, errors, ...row }: TraceRow): TraceSummary {
  return {
    traceId: trace,
    startedAt: instantOfMicroseconds(started),
    duration: Math.max(0, (Number(ended) - Number(started)) / 1_000),
    service: row.service,
    name: row.name,
    spans: Number(spans),
    errors: Number(errors),
    services: row.services,
  }
}

const toMatched = ({ found, spanId, matchedService, matchedName, matchedDuration }: MatchedTrace) => ({
  spans: Number(found),
  spanId,
  service: matchedService,
  name: matchedName,
  duration: matchedDuration,
})

/** The roll-up of an insert follows its rows after a moment. */
function summaryOf({ trace, latest, found, matchedService, matchedName, matchedDuration }: MatchedTrace) {
  return {
    traceId: trace,
    startedAt: instantOfMicroseconds(latest),
    duration: matchedDuration,
    service: matchedService,
    name: matchedName,
    spans: Number(found),
    errors: 0,
    services: [matchedService],
  }
}
