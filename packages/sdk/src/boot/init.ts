// Combines flags and monitoring of a page: they share the identity of browser and user, and the variations that the
// application reads are attached to all later events.

import { ofToolbar } from '../browser/listen.ts'
import { anonymousIdOf } from '../flags/anonymous-id.ts'
import type { LoadLive } from '../flags/live.ts'
import { createReads } from '../flags/reads.ts'
import { type FlagContext, startFlags } from '../flags.ts'
import type { Telltale, TelltaleOptions } from '../options.ts'
import type { LoadSampled } from './sampled.ts'
import { type RunningMonitoring, startMonitoring } from './start-monitoring.ts'
import { createToolbar, type LoadToolbar } from './toolbar.ts'

export interface Boot {
  /** How a script loads the part for live updates. */
  loadLive?: LoadLive
  /** Loaded only for sessions that are recorded or profiled. */
  loadSampled: LoadSampled
  loadToolbar: LoadToolbar
  /** Errors from before the library was loaded. */
  early?: readonly Event[]
}

/** A page is monitored once, however many clients it starts. */
let monitoring: RunningMonitoring | undefined

export function init(
  options: TelltaleOptions,
  { loadLive, loadSampled, loadToolbar, early = [] }: Boot,
): Telltale {
  const { url: address, key, context: given = {} } = options
  const url = address.replace(/\/+$/, '')
  const anonymousId = typeof document === 'undefined' ? undefined : anonymousIdOf(key)
  // Without working storage, each part would generate an id of its own.
  const complete = (next: FlagContext) => {
    return { anonymousId, ...next, targetingKey: next.targetingKey ?? anonymousId }
  }
  const server = { url, key, fetch: globalThis.fetch?.bind(globalThis), fetched: new Set<string>() }
  let context = complete(given)
  const reads = createReads(
    () => context,
    (read) => running.addRead(read),
  )
  const toolbar = createToolbar({
    server,
    load: loadToolbar,
    place: () => ({
      ...flags,
      ...running,
      context: () => context,
      own: options,
      ofToolbar,
      change: flags.notify,
    }),
    record: reads.record,
  })
  monitoring ??= startMonitoring({
    server,
    options,
    early,
    user: userOf(given),
    onSession: reads.forget,
    loadSampled,
    note: toolbar.note,
    anonymousId: `${context.anonymousId}`,
  })
  const running = monitoring
  const flags = startFlags({ ...options, url, context }, loadLive, toolbar.onRead)

  return {
    ...flags,
    ...running,
    openToolbar: toolbar.open,
    setContext(next) {
      context = complete(next)
      reads.forget()
      running.setUser(userOf(next))
      return flags.setContext(context)
    },
    close() {
      running.stop()
      monitoring = undefined
      flags.close()
    },
  }
}

const userOf = ({ targetingKey: userKey, signature }: FlagContext) => ({ userKey, signature })
