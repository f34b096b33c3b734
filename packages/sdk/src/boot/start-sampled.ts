// Loaded in the sessions of a sample: decides which of them are recorded and which are profiled, and loads what does it once
// the page has time.

import type { EventContext } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { Sampled } from '../sampled.ts'
import { fetchApart } from '../transport/fetch-apart.ts'
import type { Server } from '../transport/send.ts'
import type { SampledPlace } from './sampled.ts'

/** A page that is never idle: then it is loaded all the same. */
const patience = 5_000

export function startSampled(place: SampledPlace, first: EventContext): Sampled {
  const parts: Sampled[] = []
  let context = first
  let session = ''
  const over = new Set<string>()

  const load = async <Module>(
    of: string,
    get: () => Promise<Module>,
    start: (module: Module) => Sampled | undefined,
  ) => {
    await quiet()
    if (of !== session) return
    const module = await get()
    const part = of === session && start(module)
    if (part) parts.push(part)
  }
  const begin = () => {
    session = context.session
    const { replay, profile, privacyLevel: level } = place.settings()
    const { replaySampling = 100, profileSampling = 100, replayOn: on, replayOrigins: origins } = place.own
    const position = samplePosition(session) * 100
    const isSampled = position < Math.min(replay, replaySampling)
    const { server } = place
    const failed = () => undefined
    if (isSampled || (on && replay > 0)) {
      load(
        session,
        () => import('../replay/recorder.ts'),
        ({ startRecorder }) => startRecorder({ server, level, isSampled, on, origins, context }),
      ).catch(failed)
    }
    if (position < Math.min(profile, profileSampling) && 'Profiler' in globalThis) {
      load(
        session,
        async () => {
          if (await isProfilingAllowed(server)) return import('../profile/profiler.ts')
          throw new Error('no js-profiling')
        },
        ({ startProfiler }) => startProfiler({ server, context }),
      ).catch(failed)
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
      // Told late, of a session that is over: it begins nothing.
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
 * Of the document's header. Asking the browser for a profiler without it prints an error into the console of the application.
 * The query stays away: it may hold what is good for one request only.
 */
async function isProfilingAllowed(server: Server): Promise<boolean> {
  const { headers } = await fetchApart(server, location.origin + location.pathname, {
    method: 'HEAD',
    credentials: 'same-origin',
  })
  return /js-profiling(?!=\?0)/.test(headers.get('document-policy') ?? '')
}

/** After the page is loaded and has nothing to do. */
async function quiet(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  }
  await new Promise((resolve) => {
    // Safari has none.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: patience })
    else setTimeout(resolve, 200)
  })
}
