// Adds `traceparent` (W3C Trace Context) to requests of the application, so that what servers do for them is in the same
// trace, and notes the trace on their events. Only to origins that are listed: elsewhere the header would need the
// permission of the server, and its request would fail. A header that the page sets itself stays.

import { around } from '../browser/around.ts'
import { guarded, onFault, type ReportFault } from '../browser/guard.ts'
import { sinceBegin, toInstant } from '../browser/time.ts'
import { createUuid } from '../browser/uuid.ts'
import type { Sampled } from '../sampled.ts'

export interface TracingOptions {
  /** Besides the origin of the page. */
  origins: readonly string[]
  /** Of the server, whose own requests are not the application's. */
  serverUrl: string
  report: ReportFault
}

interface Traced {
  id: string
  address: string
  /** Milliseconds since 1970. */
  at: number
}

const header = 'traceparent'
const kept = 200
/** Between our call and the one that measures it. */
const sameMoment = 20

export function startTracing({ origins, serverUrl, report }: TracingOptions): Sampled {
  onFault(report)
  const allowed = new Set([location.origin, ...origins])
  const ownUrl = new URL(serverUrl || '/', document.baseURI).href
  const traced: Traced[] = []
  /** The value of the header; nothing for an address that is not listed. */
  const begin = guarded((address: string) => {
    const { origin, href } = new URL(address, document.baseURI)
    if (!allowed.has(origin) || /^\/?(intake|sdk|ofrep)\/v1\//.test(href.replace(ownUrl, '')))
      return undefined
    const id = createUuid().replaceAll('-', '')
    if (traced.push({ id, address: withoutQuery(href), at: toInstant(sinceBegin()) }) > kept) traced.shift()
    return `00-${id}-${id.slice(id.length / 2)}-01`
  })
  const stops = [traceFetch(begin), ...traceXhr(begin)]
  return {
    note(event) {
      if (event.kind !== 'resource' || event.traceId) return false
      const address = withoutQuery(event.url)
      const distance = ({ at }: Traced) => Math.abs(at - event.at)
      const [nearest] = traced
        .filter((each) => each.address === address && distance(each) <= sameMoment)
        .sort((one, other) => distance(one) - distance(other))
      if (nearest) {
        event.traceId = nearest.id
        traced.splice(traced.indexOf(nearest), 1)
      }
      return false
    },
    stop() {
      for (const stop of stops.splice(0)) stop()
    },
  }
}

/** Queries of events are masked. */
const withoutQuery = (address: string) => address.replace(/[?#].*/s, '')

type Begin = (address: string) => string | undefined

function traceFetch(begin: Begin): () => void {
  return around({
    owner: globalThis,
    name: 'fetch',
    before(_target, args) {
      const [input, given] = args
      const request = input instanceof Request ? input : undefined
      const address =
        request?.url ?? (typeof input === 'string' || input instanceof URL ? String(input) : undefined)
      const init: RequestInit = Object(given)
      const headers = new Headers(init.headers ?? request?.headers)
      const parent = address === undefined || headers.has(header) ? undefined : begin(address)
      if (parent === undefined) return undefined
      headers.set(header, parent)
      args[1] = { ...init, headers }
      return undefined
    },
  })
}

function traceXhr(begin: Begin): (() => void)[] {
  const owner = globalThis.XMLHttpRequest?.prototype
  const opened = new WeakMap<object, string>()
  return [
    around({
      owner,
      name: 'open',
      before(target, [, address]) {
        if (target instanceof XMLHttpRequest) opened.set(target, String(address))
        return undefined
      },
    }),
    around({
      owner,
      name: 'setRequestHeader',
      before(target, [name]) {
        if (target instanceof XMLHttpRequest && String(name).toLowerCase() === header) opened.delete(target)
        return undefined
      },
    }),
    around({
      owner,
      name: 'send',
      before(target) {
        const address = target instanceof XMLHttpRequest ? opened.get(target) : undefined
        const parent = address === undefined ? undefined : begin(address)
        if (target instanceof XMLHttpRequest && parent !== undefined) target.setRequestHeader(header, parent)
        return undefined
      },
    }),
  ]
}
