// The flags that a server's client names in its errors. A server has no session that could carry them: they are joined by
// the user, as evaluations of OpenTelemetry are.

import type { OtlpValue } from '@telltale/core/telemetry/otlp/otlp'
import type { RumEvent } from '@telltale/core/telemetry/rum-event'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { ReadFinder } from '../otlp/find-reads.ts'
import type { FoundEvaluation } from '../otlp/otlp-request.ts'
import { exposureOf } from '../otlp/signal-events.ts'

/** As many as the client remembers. */
const flagsPerEvent = 100

/** The same events with `about.reads` in place of their flags, and an exposure for each of these. */
export async function joinServerFlags(
  readFinder: ReadFinder,
  environment: KnownEnvironment,
  events: readonly RumEvent[],
): Promise<RumEvent[]> {
  const evaluations = events.map(evaluationsOf)
  const found = await readFinder.find(environment, evaluations.flat())
  const exposures = new Map<string, RumEvent>()
  let next = 0
  const joined = events.map((reported, index): RumEvent => {
    const own = found.slice(next, next + (evaluations[index]?.length ?? 0))
    next += own.length
    if (own.length === 0) return reported
    const about = { ...reported.about, reads: own.map(({ read }) => read) }
    const shared = { ...reported, about, flags: {} }
    for (const each of own) {
      const exposure = exposureOf(environment.id, each)
      exposures.set(exposure.id, { ...shared, event: exposure })
    }
    return shared
  })
  return [...joined, ...exposures.values()]
}

function evaluationsOf({ event, about, flags }: RumEvent): FoundEvaluation[] {
  return Object.entries(flags)
    .slice(-flagsPerEvent)
    .flatMap(([flag, value]) => {
      const served = servedOf(value)
      if (served === undefined) return []
      const evaluation = { flag, variant: '', value: served, provider: '', contextId: '', reason: '' }
      return {
        ...{
          traceId: ('traceId' in event ? event.traceId : undefined) ?? '',
          spanId: event.id,
          at: event.at,
          evaluation,
        },
        ...{ service: about.service ?? '', version: about.version ?? '' },
        ...{ userKey: about.userKey ?? '', session: about.session },
      }
    })
}

const servedOf = (value: unknown): OtlpValue | undefined =>
  typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? value : undefined
