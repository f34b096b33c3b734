// A span as a row of the table of spans, as JSON.

import { limits } from '../../limits.ts'
import { spanKinds, spanStatuses } from '../../otlp-names.ts'
import { countText, instantText, noId } from '../row-text.ts'
import { type OtlpSpan, textOfAttribute } from './otlp.ts'
import type { AttributeStore, StoredAttributes } from './stored-attributes.ts'

export const spanColumns = [
  'environment_id',
  'received_at',
  'source',
  'service',
  'version',
  'resource',
  'scope',
  'ts',
  'trace_id',
  'span_id',
  'parent_id',
  'name',
  'kind',
  'status',
  'status_message',
  'duration',
  'method',
  'endpoint',
  'host',
  'http_status',
  'user_key',
  'session_id',
  'flags',
  'attrs',
  'events',
  'links',
  'cut',
] as const

/** What spans and log records of one resource share. */
export interface SharedColumns {
  environmentId: string
  receivedAt: number
  source: string
  service: string
  version: string
  resource: StoredAttributes
}

const json = JSON.stringify
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The columns from `environment_id` to `resource`. */
export function sharedText(shared: SharedColumns): string {
  const { environmentId, receivedAt, source, service, version, resource } = shared
  return `"${environmentId}",${instantText(receivedAt)},${json(source)},${json(service)},${json(version)},${resource.json}`
}

/** A trace ID in the form of a UUID, which the store keeps in 16 bytes. */
export function traceUuid(traceId: string): string {
  if (traceId === '') return noId
  return `${traceId.slice(0, 8)}-${traceId.slice(8, 12)}-${traceId.slice(12, 16)}-${traceId.slice(16, 20)}-${traceId.slice(20)}`
}

/** The ID of the session in the browser, where the application passes it on. */
export function sessionOf(attributes: OtlpSpan['attributes']): string {
  const id = textOfAttribute(attributes, 'session.id')
  return uuid.test(id) ? id.toLowerCase() : noId
}

export const userOf = (attributes: OtlpSpan['attributes']) =>
  textOfAttribute(attributes, 'user.id', 'enduser.id')

interface SpanParts {
  /** From `sharedText`. */
  shared: string
  scope: string
  name: string
  endpoint: string
  userKey: string
  /** `flag=variation` as JSON. */
  flags: string
  store: AttributeStore
}

export function spanRow(span: OtlpSpan, parts: SpanParts): { row: string; cut: number } {
  const { store } = parts
  const attributes = store.store(span.attributes, limits.spanAttributes)
  const events = eventsText(span, store)
  const links = linksText(span, store)
  const cut = span.leftOut + attributes.cut + events.cut + links.cut
  const { attributes: given } = span
  const status = Number(textOfAttribute(given, 'http.response.status_code', 'http.status_code'))
  const own = [
    json(parts.scope),
    String(Math.max(0, Math.round(span.startedAt))),
    `"${traceUuid(span.traceId)}"`,
    `"${span.spanId}"`,
    `"${span.parentId}"`,
    json(parts.name),
    `"${spanKinds[span.kind] ?? 'unspecified'}"`,
    `"${spanStatuses[span.status] ?? 'unset'}"`,
    json(store.text(span.statusMessage, limits.eventTextLength)),
    String(span.duration),
    json(store.line(textOfAttribute(given, 'http.request.method', 'http.method'))),
    json(parts.endpoint),
    json(store.line(textOfAttribute(given, 'server.address', 'net.peer.name'))),
    countText(Number.isFinite(status) ? status : 0, 16),
    json(parts.userKey),
    `"${sessionOf(given)}"`,
    parts.flags,
    attributes.json,
    json(events.json),
    json(links.json),
    countText(cut, 16),
  ]
  return { row: `[${parts.shared},${own.join(',')}]`, cut }
}

function eventsText({ events }: OtlpSpan, store: AttributeStore): StoredAttributes {
  if (events.length === 0) return { json: '', cut: 0 }
  let cut = Math.max(0, events.length - limits.spanEvents)
  const texts = events.slice(0, limits.spanEvents).map(({ at, name, attributes }) => {
    const stored = store.store(attributes, limits.spanEventAttributes)
    cut += stored.cut
    return `[${Math.round(at)},${json(store.line(name))},${stored.json}]`
  })
  return { json: `[${texts.join(',')}]`, cut }
}

function linksText({ links }: OtlpSpan, store: AttributeStore): StoredAttributes {
  if (links.length === 0) return { json: '', cut: 0 }
  let cut = Math.max(0, links.length - limits.spanLinks)
  const texts = links.slice(0, limits.spanLinks).map(({ traceId, spanId, attributes }) => {
    const stored = store.store(attributes, limits.spanEventAttributes)
    cut += stored.cut
    return `[${json(traceId)},${json(spanId)},${stored.json}]`
  })
  return { json: `[${texts.join(',')}]`, cut }
}
