// Requests by XMLHttpRequest: what the page gets is read once it is there.

import { around } from '../browser/around.ts'
import { guarded } from '../browser/guard.ts'
import {
  emptyBody,
  isTextual,
  type RecordedBody,
  readAtMost,
  selectBody,
  selectGiven,
  shortMime,
} from './bodies.ts'
import { type Permitted, type RequestWatch, selectHeaders } from './request-parts.ts'

interface Opened {
  method: string
  permitted: Permitted
  headers: [string, string][]
}

export function watchXhr(watch: RequestWatch): () => void {
  const owner = globalThis.XMLHttpRequest?.prototype
  const opened = new WeakMap<object, Opened>()
  const stops = [
    around({
      owner,
      name: 'open',
      before(target, [method, address]) {
        if (!(target instanceof XMLHttpRequest)) return undefined
        const isText = typeof address === 'string' || address instanceof URL
        const permitted = isText ? watch.permit(String(address)) : undefined
        opened.delete(target)
        if (permitted) opened.set(target, { method: String(method).toUpperCase(), permitted, headers: [] })
        return undefined
      },
    }),
    around({
      owner,
      name: 'setRequestHeader',
      before(target, [name, value]) {
        if (target instanceof XMLHttpRequest) opened.get(target)?.headers.push([String(name), String(value)])
        return undefined
      },
    }),
    around({
      owner,
      name: 'send',
      before(target, [body]) {
        const call = target instanceof XMLHttpRequest ? opened.get(target) : undefined
        if (target instanceof XMLHttpRequest && call) watchCall(target, { call, body, watch })
        return undefined
      },
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

interface Sending {
  call: Opened
  body: unknown
  watch: RequestWatch
}

function watchCall(xhr: XMLHttpRequest, { call, body, watch }: Sending): void {
  const { method, permitted, headers } = call
  const startedAt = watch.now()
  const type = shortMime(headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1])
  const request = { headers: selectHeaders(headers, permitted), body: selectGiven(body, type, permitted) }
  const done = guarded(() => {
    const { status } = xhr
    const duration = watch.now() - startedAt
    const lines = status === 0 ? [] : readHeaders(xhr.getAllResponseHeaders())
    const response = { headers: selectHeaders(lines, permitted), body: readBody(xhr, permitted) }
    watch.onRequest({
      kind: 'xhr',
      method,
      address: permitted.url.href,
      status,
      duration,
      request,
      response,
    })
  })
  // Not through what the page made of it.
  EventTarget.prototype.addEventListener.call(xhr, 'loadend', done, { once: true })
}

function readHeaders(text: string): [string, string][] {
  return text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const at = line.indexOf(':')
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : []
  })
}

function readBody(xhr: XMLHttpRequest, permitted: Permitted): RecordedBody {
  if (xhr.status === 0) return emptyBody
  const mime = shortMime(xhr.getResponseHeader('content-type'))
  const size = Number(xhr.getResponseHeader('content-length')) || 0
  const { responseType } = xhr
  const isText = responseType === '' || responseType === 'text'
  if (!isTextual(mime) || (!isText && responseType !== 'json'))
    return { state: 'binary', size, mime, text: '' }
  if (permitted.fields.length === 0) return { state: 'not-allowed', size, mime, text: '' }
  if (!isText && size > readAtMost) return { state: 'too-large', size, mime, text: '' }
  const whole = isText ? xhr.responseText : (JSON.stringify(xhr.response) ?? '')
  const isCut = whole.length > readAtMost
  return selectBody({ text: whole.slice(0, readAtMost), size: size || whole.length, mime, isCut }, permitted)
}
