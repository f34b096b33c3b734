// Profiles the views of a page with the browser's JS self-profiling API: samples every 10 ms, in windows of at most a
// minute that end with the view. Each window is one attachment: tables of texts, frames and stacks, and the samples.

import type { EventContext } from '@telltale/core/contract/events'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { compress, wrap } from '../browser/gzip.ts'
import { listen } from '../browser/listen.ts'
import { toInstant } from '../browser/time.ts'
import { createUuid } from '../browser/uuid.ts'
import { cleanUrl } from '../clean.ts'
import type { Sampled } from '../sampled.ts'
import { post } from '../transport/post.ts'
import type { Server } from '../transport/send.ts'
import { compactTrace, type Trace } from './compact-trace.ts'

export interface ProfilerOptions {
  server: Server
  context: EventContext
  report: ReportFault
}

const sampleInterval = 10
const longest = 60_000
/** Per view: closing the tab may lose the open window. */
const firstWindow = 10_000
/** Browsers limit all keepalive requests of a page together to 64 KiB; events and replay need their share. */
const exitBytes = 24 * 1024
/** Per page: repeated work has been sampled by then. */
const windowsAtMost = 60

interface Sampler {
  readonly sampleInterval: number
  stop(): Promise<Trace>
}

interface Window {
  sampler: Sampler
  context: EventContext
  startedAt: number
  frames: [start: number, duration: number][]
}

export function startProfiler({ server, context: first, report }: ProfilerOptions): Sampled | undefined {
  onFault(report)
  let context = first
  let open: Window | undefined
  let timer: ReturnType<typeof setTimeout>
  let count = 0
  let isFirst = true

  const begin = guarded(() => {
    if (document.hidden || open || count++ >= windowsAtMost) return
    // Throws without `Document-Policy: js-profiling`.
    const Profiler = Reflect.get(globalThis, 'Profiler')
    const sampler: Sampler = new Profiler({ sampleInterval, maxBufferSize: longest / sampleInterval + 500 })
    open = { sampler, context, startedAt: toInstant(performance.now()), frames: [] }
    timer = setTimeout(() => turn(), isFirst ? firstWindow : longest)
    isFirst = false
  })
  const finish = guarded((isLeaving: boolean) => {
    clearTimeout(timer)
    const window = open
    open = undefined
    if (window)
      void window.sampler
        .stop()
        .then((trace) => send(window, trace, isLeaving))
        .catch(() => undefined)
  })
  const turn = (isLeaving = false) => {
    finish(isLeaving)
    begin()
  }
  const send = async ({ context, startedAt, frames, sampler }: Window, trace: Trace, isLeaving: boolean) => {
    const urlOf = (address: string) => cleanUrl(address, false)
    const profile = compactTrace(trace, { urlOf, offset: startedAt - toInstant(0) })
    if (profile.samples.length === 0) return
    const duration = Math.min(longest, Math.max(0, Date.now() - startedAt))
    const about = { startedAt, duration, interval: sampler.sampleInterval, format: 'telltale-profile-1' }
    const header = { context, profile: about }
    const text = JSON.stringify({ ...profile, longFrames: frames.flat() })
    // A page that is being left has no time to compress. A longer profile is sent only when the page merely hides.
    const keepalive = isLeaving && text.length < exitBytes
    const body = keepalive ? wrap(new TextEncoder().encode(text)) : await compress(text)
    // Losing one of many profiles is acceptable.
    await post(server, 'profile', {
      query: { batch: createUuid() },
      body: new Blob([`${JSON.stringify(header)}\n`, body], { type: 'text/plain' }),
      keepalive,
    })
  }
  begin()
  // A hidden page may come to the front.
  if (!open && !document.hidden) return undefined
  const unlisten = listen(document, 'visibilitychange', () => (document.hidden ? finish(true) : begin()))
  // The trace takes a moment that a page has no more when it hides because it is left. Whoever stays goes on.
  const unlistenLeave = listen(globalThis, 'beforeunload', () => turn(true))
  return {
    note(event, next) {
      const isOther = next.view !== context.view && event.kind === 'view'
      context = next
      // Flags read while it runs belong to it.
      // The window began with the probability of that time.
      if (open && open.context.view === next.view) {
        const { inclusion } = open.context
        open.context = { ...next }
        if (inclusion) open.context.inclusion = inclusion
        else delete open.context.inclusion
      }
      if (isOther) {
        isFirst = true
        turn()
      } else if (event.kind === 'long_frame')
        open?.frames.push([Math.max(0, Math.round(event.at - open.startedAt)), Math.round(event.duration)])
      return false
    },
    stop(sendsRest) {
      unlisten()
      unlistenLeave()
      clearTimeout(timer)
      if (sendsRest) finish(true)
      else void open?.sampler.stop().catch(() => undefined)
    },
  }
}
