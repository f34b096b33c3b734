// Why some requests of a group are slow: the self time of each span, in the slowest tenth of the traced requests and in
// the fifth around their median. The time that no span covers is what the network and queues take.

import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listRequestSpans as listRequestSpansCall } from '@telltale/core/contract/requests'
import { limits } from '@telltale/core/limits'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import {
  findCoveredTimes,
  findSelfTimes,
  findTracedRequests,
  type SelfTimeRow,
  type TracedRequest,
} from './span-queries.ts'

type Reply = ReplyOf<typeof listRequestSpansCall>
type SpanShare = Reply['spans'][number]
type Arm = 'typical' | 'slow'

const listed = 20
const slowShare = 0.1
const typicalFrom = 0.4
const typicalTo = 0.6

export async function listRequestSpans(
  question: Question,
  { method, host, endpoint }: QueryOf<typeof listRequestSpansCall>,
): Promise<Reply> {
  const traced = await findTracedRequests(question, { method, host, endpoint })
  const arms = traced.length < limits.comparedRequestsMinimum ? none : compareArms(traced)
  const chosen = { slow: arms.slow, typical: arms.typical }
  const [rows, covered] =
    arms.slow.length === 0
      ? [[], []]
      : await Promise.all([findSelfTimes(question, chosen), findCoveredTimes(question, chosen)])
  const outside = new Map(covered.map(({ trace, time }) => [trace, time]))
  const spans = [...bySpan(rows, arms), outsideOf(arms, outside)]
  return {
    ...periodOf(question),
    traces: traced.length,
    typical: { traces: arms.typical.length, mean: meanOf(arms.typical) },
    slow: { traces: arms.slow.length, mean: meanOf(arms.slow), from: arms.slow.at(-1)?.longest ?? 0 },
    spans: spans
      .filter(({ slow, typical }) => slow > 0 || typical > 0)
      .sort((one, other) => other.slow - other.typical - (one.slow - one.typical))
      .slice(0, listed),
    isCut: covered.some(({ spans: count }) => Number(count) >= limits.comparedSpans),
  }
}

type Arms = Record<Arm, readonly TracedRequest[]>

const none: Arms = { slow: [], typical: [] }

/** The slowest first. */
function compareArms(traced: readonly TracedRequest[]): Arms {
  const sorted = traced.toSorted((one, other) => other.longest - one.longest)
  const count = sorted.length
  return {
    slow: sorted.slice(0, Math.ceil(count * slowShare)),
    typical: sorted.slice(Math.floor(count * typicalFrom), Math.ceil(count * typicalTo)),
  }
}

const meanOf = (requests: readonly TracedRequest[]) =>
  requests.length === 0 ? 0 : requests.reduce((sum, { longest }) => sum + longest, 0) / requests.length

/** One entry for each service and name; a name that only one arm has takes no time in the other. */
function bySpan(rows: readonly SelfTimeRow[], arms: Arms): SpanShare[] {
  const found = new Map<string, SpanShare>()
  for (const { spanService, spanName, isSlow, time, trace, spanId } of rows) {
    const key = JSON.stringify([spanService, spanName])
    const arm = isSlow === 1 ? 'slow' : 'typical'
    const share = found.get(key) ?? emptyShare(spanService, spanName)
    share[arm] = time / Math.max(1, arms[arm].length)
    share[`${arm}Example`] = { traceId: trace, spanId }
    found.set(key, share)
  }
  return [...found.values()]
}

const emptyShare = (service: string, name: string): SpanShare => ({
  ...{ service, name, typical: 0, slow: 0 },
  typicalExample: null,
  slowExample: null,
})

function outsideOf(arms: Arms, covered: ReadonlyMap<string, number>): SpanShare {
  const share = emptyShare('', '')
  for (const arm of ['typical', 'slow'] as const) {
    const times = arms[arm].map(({ trace, longest }) => ({
      trace,
      time: Math.max(0, longest - (covered.get(trace) ?? 0)),
    }))
    const furthest = times.toSorted((one, other) => other.time - one.time)[0]
    share[arm] = times.reduce((sum, { time }) => sum + time, 0) / Math.max(1, times.length)
    if (furthest !== undefined) share[`${arm}Example`] = { traceId: furthest.trace, spanId: '' }
  }
  return share
}
