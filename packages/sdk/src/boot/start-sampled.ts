// Loaded in sampled sessions: decides which of them are recorded, profiled and traced, and loads the code, once the page
// is idle where it can wait.

import type { EventContext } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import { loadReplay } from '../load-replay.ts'
import type { Sampled, SampledPlace } from '../sampled.ts'
import { fetchApart } from '../transport/fetch-apart.ts'
import type { Server } from '../transport/send.ts'

/** For a page that is never idle: loads after this time. */
const patience = 5_000

export function startSampled(place: SampledPlace, first: EventContext): Sampled {
  let running = startParts(place, first)
  let isOrdered = false
  return {
    note(...given) {
      if (!isOrdered && place.settings().orders) {
        isOrdered = true
        import('../orders/apply-orders.ts').then(({ applyOrders }) => {
          running = applyOrders(place, running, startParts)
        }, place.report)
      }
      return running.note(...given)
    },
    stop: (sendsRest) => running.stop(sendsRest),
  }
}

function startParts(place: SampledPlace, first: EventContext): Sampled {
  const { report } = place
  const parts: Sampled[] = []
  let context = first
  let session = ''
  const over = new Set<string>()

  const load = <Module>(
    get: () => Promise<Module>,
    start: (module: Module) => Sampled | undefined,
    /** Until it ends: by default, until the page is idle. */
    wait: unknown = quiet(),
  ) => {
    const of = session
    const run = async () => {
      await wait
      if (of !== session) return
      const module = await get()
      const part = of === session && start(module)
      if (part) parts.push(part)
    }
    run().catch(report)
  }
  const begin = () => {
    session = context.session
    const { profile } = place.settings()
    const { profileSampling = 100, tracing } = place.own
    const { server } = place
    if (tracing) {
      // At once: requests before it have no trace.
      load(
        () => import('../trace/tracing.ts'),
        ({ startTracing }) =>
          startTracing({ origins: Array.isArray(tracing) ? tracing : [], serverUrl: server.url, report }),
        0,
      )
    }
    loadReplay(place, () => context, load)
    const position = samplePosition(session) * 100
    if (position < Math.min(profile, profileSampling) && 'Profiler' in globalThis) {
      load(
        async () => ((await isProfilingAllowed(server)) ? import('../profile/profiler.ts') : undefined),
        (module) => module?.startProfiler({ server, context, report }),
      )
    }
  }
  const stop = (sendsRest = false) => {
    if (sendsRest) over.add(session)
    session = ''
    for (const part of parts.splice(0)) part.stop(sendsRest)
  }
  begin()
  return {
    note(event, next) {
      // Arrived late, for a session that has ended: starts nothing.
      if (over.has(next.session)) return false
      context = next
      if (next.session !== session) {
        stop(true)
        begin()
      }
      return parts.map((part) => part.note(event, next)).some(Boolean)
    },
    stop,
  }
}

/**
 * Whether the document has the `Document-Policy` header. Creating a profiler without it logs an error to the
 * application's console. The query is omitted: it may contain single-use values.
 */
async function isProfilingAllowed(server: Server): Promise<boolean> {
  const { headers } = await fetchApart(server, location.origin + location.pathname, {
    method: 'HEAD',
    credentials: 'same-origin',
  })
  return /js-profiling(?!=\?0)/.test(headers.get('document-policy') ?? '')
}

/** After the page has loaded and is idle. */
async function quiet(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  }
  await new Promise((resolve) => {
    // Safari does not support it.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: patience })
    else setTimeout(resolve, 200)
  })
}
