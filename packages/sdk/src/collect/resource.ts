// Resources of the page: its document, files, and the application's requests. Method and status of a request are
// observed at the call, size and full duration in the browser's timeline; the two are joined.

import { guarded } from '../browser/guard.ts'
import { listen } from '../browser/listen.ts'
import { observeEntries } from '../browser/observe.ts'
import { replaceMethod } from '../browser/replace-method.ts'
import { sinceBegin, toInstant } from '../browser/time.ts'
import type { Emit, View } from '../event.ts'
import type { Views } from './view.ts'

export interface ResourceOptions {
  emit: Emit
  views: Views
  urlOf(address: string): string
  /** Requests of the library. */
  isOurs(address: string, initiator?: string): boolean
  /** A request of the application starts (1) or ends (-1). Returns the action that it belongs to. */
  onRequest(change: 1 | -1): string | undefined
}

interface Call {
  type: string
  address: string
  method: string
  /** By the page's clock. */
  startedAt: number
  view: View
  action: string | undefined
  /** No response: 0. */
  status?: number
  isAborted?: boolean
  isSent?: boolean
  /** By the page's clock; 0 while pending. */
  endedAt: number
  entry?: PerformanceResourceTiming
}

type Begin = (type: string, method: string, address: string) => Call | undefined
type End = (call: Call | undefined, status: number, isAborted?: boolean) => void

/** For the browser's entry of a request that ended. */
const patience = 1_000
const callsKept = 200
/** Browsers may reject pending requests before they notify the page that it is being left. */
const haste = 50

/** Returns a function that sends those whose entries have not arrived yet. */
export function startResources({ emit, views, urlOf, isOurs, onRequest }: ResourceOptions): () => void {
  /** Includes requests sent without their entries, which may still arrive. */
  const calls: Call[] = []
  let isDocumentSent = false

  const report = (call: Call) => {
    const { type, address, method, startedAt, endedAt, view, action, status, isAborted, entry } = call
    if (status === undefined || call.isSent) return
    call.isSent = true
    const failed = !isAborted && (!status || status >= 400)
    const duration = entry?.duration || endedAt - startedAt
    const fields = { type, url: urlOf(address), method, duration, size: sizeOf(entry), action, failed }
    emit('resource', { ...fields, status: status || undefined }, { at: toInstant(startedAt), view })
  }
  const begin = guarded<Parameters<Begin>, Call | undefined>((type, method, given) => {
    const address = new URL(given, document.baseURI).href
    if (isOurs(address)) return undefined
    const call: Call = {
      type,
      address,
      method: method.toUpperCase(),
      startedAt: sinceBegin(),
      endedAt: 0,
      view: views.current(),
      action: onRequest(1),
    }
    if (calls.push(call) > callsKept) calls.shift()
    return call
  })
  const end = guarded<Parameters<End>, void>((call, status, isAborted = false) => {
    if (!call || call.status !== undefined) return
    onRequest(-1)
    Object.assign(call, { status, isAborted, endedAt: sinceBegin() })
    if (call.entry) report(call)
    else setTimeout(guarded(report), patience, call)
  })
  const note = (entry: PerformanceResourceTiming) => {
    const { name, startTime, initiatorType, duration, responseStatus } = entry
    if (initiatorType === 'navigation') {
      // The document is sent once loaded. Its entry may arrive twice: from the buffer, and when it is complete.
      if (!duration || isDocumentSent) return
      isDocumentSent = true
    }
    if (isOurs(name, initiatorType) || initiatorType === 'beacon') return
    const call = calls.find(
      (each) =>
        !each.entry &&
        each.address === name &&
        startTime >= each.startedAt - 1 &&
        startTime <= (each.endedAt || startTime),
    )
    if (call) {
      call.entry = entry
      return report(call)
    }
    const at = toInstant(startTime)
    const fields = {
      type: typeNames[initiatorType] ?? initiatorType,
      url: urlOf(name),
      size: sizeOf(entry),
      duration,
      status: responseStatus || undefined,
      failed: responseStatus >= 400,
    }
    emit('resource', fields, { at, view: views.at(at) })
  }
  watchFetch(begin, end)
  watchXhr(begin, end)
  // Requests that are pending when the page is left have not failed.
  listen(globalThis, 'pagehide', ({ timeStamp }) => {
    for (const call of calls) {
      end(call, 0)
      call.isAborted ||= !call.status && call.endedAt > timeStamp - haste
    }
  })
  observeEntries('navigation', note)
  observeEntries('resource', note)
  return () => calls.forEach(report)
}

function watchFetch(begin: Begin, end: End): void {
  replaceMethod(globalThis, 'fetch', (original) => (input, init) => {
    const { url = input, method = 'GET' } = Object(input)
    const call = begin('fetch', `${init?.method ?? method}`, `${url}`)
    const answer = original.call(globalThis, input, init)
    answer.then(
      ({ status, type }) => end(call, status, type === 'opaque'),
      (reason) => end(call, 0, reason?.name === 'AbortError'),
    )
    return answer
  })
}

function watchXhr(begin: Begin, end: End): void {
  const prototype = globalThis.XMLHttpRequest?.prototype
  const requested = new WeakMap<XMLHttpRequest, unknown[]>()
  replaceMethod(prototype, 'open', (original) => {
    return function (this: XMLHttpRequest, ...args: unknown[]) {
      requested.set(this, args)
      Reflect.apply(original, this, args)
    }
  })
  replaceMethod(prototype, 'send', (original) => {
    return function (this: XMLHttpRequest, ...args) {
      const [method, address] = requested.get(this) ?? []
      const call = begin('xhr', `${method}`, `${address}`)
      this.addEventListener('abort', () => end(call, 0, true))
      this.addEventListener('loadend', () => end(call, this.status))
      original.apply(this, args)
    }
  })
}

const typeNames: Record<string, string> = { xmlhttprequest: 'xhr', navigation: 'document' }

/** Other origins expose sizes only with Timing-Allow-Origin. */
function sizeOf(entry: PerformanceResourceTiming | undefined): number | undefined {
  return entry?.encodedBodySize || undefined
}
