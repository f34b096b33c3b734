import { limits } from '@telltale/core/limits'
import { traceUuid } from '@telltale/core/telemetry/otlp/span-row'
import type { Question } from '../explore/question.ts'
import { inHours, traceIdText } from '../explore/span-time.ts'
import { ofGroup, type RequestGroup } from './queries.ts'

export interface TracedRequest {
  /** In hex. */
  trace: string
  longest: number
  /** When it began, in milliseconds since 1970. */
  began: number
}

/** The newest requests whose trace has spans here. Other clients name their traces in another way. */
export async function findTracedRequests(question: Question, group: RequestGroup): Promise<TracedRequest[]> {
  const { bind } = question
  const found = await question.read<TracedRequest>(
    `SELECT trace_id AS trace, max(duration) AS longest, toFloat64(max(toUnixTimestamp64Milli(ts))) AS began
    FROM ${question.events(...ofGroup(question, group), 'length(trace_id) = 32')} GROUP BY trace_id
    ORDER BY began DESC, trace LIMIT ${bind(limits.comparedRequests, 'UInt32')}`,
  )
  const requests = found.filter(({ trace }) => isTraceId.test(trace))
  if (requests.length === 0) return []
  const stored = await question.read<{ trace: string }>(
    `SELECT ${traceIdText('id')} AS trace FROM (
      SELECT DISTINCT trace_id AS id FROM ${question.rowsOf('traces', `trace_id IN (${idsOf(requests, question)})`)})`,
  )
  const isStored = new Set(stored.map(({ trace }) => trace))
  return requests.filter(({ trace }) => isStored.has(trace))
}

const isTraceId = /^[0-9a-f]{32}$/

interface Chosen {
  slow: readonly TracedRequest[]
  typical: readonly TracedRequest[]
}

/** Clocks of servers differ from those of browsers, and their spans end after the answer. */
const aroundRequest = 5 * 60_000

/** The spans of the chosen traces, each once, as `began` and `ended` in microseconds. */
function chosenSpans(question: Question, { slow, typical }: Chosen): string {
  const { bind } = question
  const all = [...slow, ...typical]
  const times = all.map(({ began }) => began)
  const period = {
    from: (Math.min(...times) - aroundRequest) * 1_000,
    to: (Math.max(...times) + aroundRequest) * 1_000,
  }
  const rows = question.rowsOf('spans', ...inHours(period, bind), `trace_id IN (${idsOf(all, question)})`)
  return `(SELECT trace_id, span_id, parent_id, service, name, toUnixTimestamp64Micro(ts) AS began,
      began + toInt64(least(duration, 4e9) * 1000) AS ended
    FROM (SELECT trace_id, span_id, parent_id, service, name, ts, duration FROM ${rows} ORDER BY ts LIMIT 1 BY trace_id, span_id)
    ORDER BY ts LIMIT ${limits.comparedSpans} BY trace_id)`
}

const idsOf = (requests: readonly TracedRequest[], { bind }: Question) =>
  bind(
    requests.map(({ trace }) => traceUuid(trace)),
    'Array(UUID)',
  )

export interface SelfTimeRow {
  spanService: string
  spanName: string
  isSlow: number
  /** The self time of all its spans, in milliseconds. */
  time: number
  /** The trace and the span with the longest self time. */
  trace: string
  spanId: string
}

/**
 * Self time is the part of a span that no child covers: children in parallel count once, and what a child does after its
 * parent ended is not the time of the parent.
 */
export async function findSelfTimes(question: Question, chosen: Chosen): Promise<SelfTimeRow[]> {
  const slow = idsOf(chosen.slow, question)
  return question.read<SelfTimeRow>(
    `SELECT toString(own.service) AS spanService, toString(own.name) AS spanName, own.trace_id IN (${slow}) AS isSlow,
      sum(own.selfTime) / 1000 AS time, ${traceIdText('longest.1')} AS trace, longest.2 AS spanId,
      argMax((own.trace_id, own.span_id), own.selfTime) AS longest
    FROM (SELECT p.trace_id AS trace_id, p.span_id AS span_id, any(p.service) AS service, any(p.name) AS name,
        any(p.ended - p.began) - intervalLengthSumIf(greatest(p.began, c.began), least(p.ended, c.ended),
          c.ended > c.began AND least(p.ended, c.ended) > greatest(p.began, c.began)) AS selfTime
      FROM ${chosenSpans(question, chosen)} AS p
      LEFT JOIN (SELECT * FROM ${chosenSpans(question, chosen)} WHERE parent_id != '' AND parent_id != span_id) AS c
        ON p.trace_id = c.trace_id AND p.span_id = c.parent_id
      GROUP BY p.trace_id, p.span_id) AS own
    GROUP BY own.service, own.name, isSlow`,
  )
}

/**
 * How long the outermost spans of each trace were open: those whose parent is the browser or missing. `spans`: of the
 * whole trace.
 */
export async function findCoveredTimes(
  question: Question,
  chosen: Chosen,
): Promise<{ trace: string; time: number; spans: string }[]> {
  return question.read(
    `SELECT ${traceIdText('s.trace_id')} AS trace, toString(count()) AS spans,
      intervalLengthSumIf(s.began, s.ended, (s.trace_id, s.parent_id) GLOBAL NOT IN (
        SELECT trace_id, span_id FROM ${chosenSpans(question, chosen)})) / 1000 AS time
    FROM ${chosenSpans(question, chosen)} AS s GROUP BY s.trace_id`,
  )
}
