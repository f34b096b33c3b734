// Gives the API requests of a visit their traces: the ID on the event of the browser, and what the servers did.

import type { ServedRequest } from '../api/served-request.ts'
import type { TapeEvent } from './tape.ts'

interface TraceOptions {
  shop: string
  /** Earlier requests have no trace: spans may be two days old at most. */
  from: number
  /** Whether events have the time of the answer; recorded ones have that of the request. */
  isAtAnswer: boolean
}

/** The network's part of a request, half of it before and half of it after the server's. */
const ofNetwork = 0.16

export function traceRequests(
  timeline: readonly TapeEvent[],
  { shop, from, isAtAnswer }: TraceOptions,
): { timeline: TapeEvent[]; served: ServedRequest[] } {
  const served: ServedRequest[] = []
  const base = `${shop}/api/`
  const traced = timeline.map((taped): TapeEvent => {
    const { event, context, at } = taped
    if (event.kind !== 'resource' || event.type !== 'fetch' || at < from) return taped
    if (!event.url.startsWith(base) || event.status === undefined || event.status === 0) return taped
    const trace = event.id.replaceAll('-', '')
    const began = isAtAnswer ? at - event.duration : at
    served.push({
      ...{ trace, parent: trace.slice(16), method: event.method ?? 'GET', status: event.status },
      path: event.url.slice(base.length),
      startedAt: began + (event.duration * ofNetwork) / 2,
      duration: event.duration * (1 - ofNetwork),
      session: context.session,
      user: context.userKey ?? '',
      isHybrid: (context.reads ?? []).some(
        ({ flag, variation }) => flag === 'hybrid-search' && variation === 'on',
      ),
    })
    return { ...taped, event: { ...event, traceId: trace } }
  })
  return { timeline: traced, served }
}
