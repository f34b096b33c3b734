// Converts one event of the Datadog client. View updates are merged elsewhere (`fold-view.ts`).

import type { DropReason, EventKind, EventOf, TelemetryEvent } from '../../contract/events.ts'
import { limits } from '../../limits.ts'
import { readAddress } from '../address.ts'
import {
  given,
  idIn,
  isObject,
  type JsonObject,
  listIn,
  millisecondsIn,
  numberIn,
  objectIn,
  textIn,
} from '../json.ts'
import type { RumEvent } from '../rum-event.ts'
import { type Envelope, readEnvelope } from './read-envelope.ts'
import type { AttributesOf } from './shared-attributes.ts'
import { stackText, stackWithCauses } from './stack-text.ts'

export type Converted = RumEvent | { dropped: DropReason; kind: EventKind | 'unknown' }

type Facts = Pick<TelemetryEvent, 'id' | 'at' | 'context' | 'attributes'>
type Convert = (raw: JsonObject, envelope: Envelope) => TelemetryEvent | DropReason

const converters: Readonly<Record<string, { kind: EventKind; convert: Convert }>> = {
  action: { kind: 'action', convert: convertAction },
  error: { kind: 'error', convert: convertError },
  resource: { kind: 'resource', convert: convertResource },
  long_task: { kind: 'long_frame', convert: convertLongTask },
  vital: { kind: 'custom', convert: convertVital },
}

/** Converts all types except views. */
export function convertEvent(raw: JsonObject, attributesOf?: AttributesOf): Converted {
  const type = textIn(raw, 'type') ?? ''
  if (type === 'telemetry') return { dropped: 'client_telemetry', kind: 'unknown' }
  const converter = Object.hasOwn(converters, type) ? converters[type] : undefined
  if (converter === undefined) return { dropped: 'unknown_kind', kind: 'unknown' }
  const { kind, convert } = converter
  if (objectIn(raw, '_dd').discarded === true) return { dropped: 'discarded', kind }
  const envelope = readEnvelope(raw, attributesOf)
  if (envelope === undefined) return { dropped: 'invalid', kind }

  const event = convert(raw, envelope)
  if (typeof event === 'string') return { dropped: event, kind }
  const { about, actions, flags, traits } = envelope
  return { event, about, actions, flags, traits }
}

/** The common fields of an event; undefined without an id. */
function factsOf(own: JsonObject, { at }: Envelope, attributes?: Facts['attributes']): Facts | undefined {
  const id = idIn(own, 'id')
  if (id === undefined) return undefined
  return attributes === undefined ? { id, at, context: 0 } : { id, at, context: 0, attributes }
}

const frustrations = { rage_click: 'rage', dead_click: 'dead', error_click: 'error' } as const

function convertAction(raw: JsonObject, envelope: Envelope): TelemetryEvent | DropReason {
  const action = objectIn(raw, 'action')
  const name = textIn(objectIn(action, 'target'), 'name') ?? ''
  const duration = given('duration', millisecondsIn(action, 'loading_time'))
  if (action.type === 'custom') {
    const facts = factsOf(action, envelope, { 'datadog.type': 'action' })
    return facts === undefined ? 'invalid' : { ...facts, kind: 'custom', name, ...duration }
  }
  const facts = factsOf(action, envelope)
  if (facts === undefined) return 'invalid'
  const found = listIn(objectIn(action, 'frustration'), 'type')
  const frustration = Object.entries(frustrations).flatMap(([sign, own]) => (found.includes(sign) ? own : []))
  const target = textIn(objectIn(objectIn(objectIn(raw, '_dd'), 'action'), 'target'), 'selector')
  return {
    ...facts,
    kind: 'action',
    action: facts.id,
    name,
    frustration,
    ...duration,
    ...(target && { target }),
  }
}

function convertError(raw: JsonObject, envelope: Envelope): TelemetryEvent | DropReason {
  const error = objectIn(raw, 'error')
  const source = textIn(error, 'source') ?? 'source'
  const [handlingStack, csp] = [
    textIn(error, 'handling_stack'),
    textIn(objectIn(error, 'csp'), 'disposition'),
  ]
  const special = {
    ...(source === 'report' || source === 'agent' ? { 'error.source': source } : {}),
    ...(csp === undefined ? {} : { 'csp.disposition': csp }),
    ...(handlingStack === undefined ? {} : { handlingStack: stackText(handlingStack) }),
  }
  const facts = factsOf(error, envelope, Object.keys(special).length > 0 ? special : undefined)
  if (facts === undefined) return 'invalid'
  const componentStack = textIn(error, 'component_stack')
  const handling = textIn(error, 'handling')
  return {
    ...facts,
    kind: 'error',
    source: sourceOf(source, componentStack),
    message: textIn(error, 'message') ?? '',
    // Without `handling`, errors of the source `source` count as uncaught, all others as handled.
    handled: handling === undefined ? source !== 'source' : handling === 'handled',
    ...given('type', textIn(error, 'type')),
    ...given('stack', stackWithCauses(error) || undefined),
    ...given('componentStack', componentStack),
    ...given('fingerprint', textIn(error, 'fingerprint')),
    ...given('request', requestOf(objectIn(error, 'resource'))),
    ...actionOf(envelope),
  }
}

function requestOf(resource: JsonObject): string | undefined {
  const url = textIn(resource, 'url')
  return url && `${textIn(resource, 'method') ?? 'GET'} ${url}`
}

function sourceOf(source: string, componentStack: string | undefined): EventOf<'error'>['source'] {
  if (componentStack !== undefined) return 'react'
  if (source === 'source') return 'uncaught'
  return source === 'console' ? 'console' : 'reported'
}

const resourceTypes: Readonly<Record<string, string>> = { js: 'script', image: 'img' }
/** The client's own profiling quota request, which it does not exclude from the application's requests. */
const ownRequest = /api(?:%2F|\/)v2(?:%2F|\/)profiling(?:%2F|\/)quota/i
const requests = new Set(['fetch', 'xhr'])

function convertResource(raw: JsonObject, envelope: Envelope): TelemetryEvent | DropReason {
  const resource = objectIn(raw, 'resource')
  const facts = factsOf(resource, envelope)
  const [url, type] = [textIn(resource, 'url') ?? '', textIn(resource, 'type') ?? 'other']
  if (facts === undefined) return 'invalid'
  if (ownRequest.test(url)) return 'own_request'

  const status = numberIn(resource, 'status_code')
  const size = numberIn(resource, 'encoded_body_size') ?? numberIn(resource, 'size')
  // A request without a response. For files status 0 is ambiguous.
  const isCut = requests.has(type) && status === 0
  return {
    ...facts,
    kind: 'resource',
    url,
    type: resourceTypes[type] ?? type,
    duration: millisecondsIn(resource, 'duration') ?? 0,
    ...given('method', textIn(resource, 'method')),
    ...given('status', status === undefined || status > largestStatus ? undefined : Math.round(status)),
    ...given('size', size === undefined ? undefined : Math.round(size)),
    ...given('traceId', textIn(objectIn(raw, '_dd'), 'trace_id')),
    ...(isCut && { failed: true }),
    ...actionOf(envelope),
  }
}

const largestStatus = 999
const longTask = 50

function convertLongTask(raw: JsonObject, envelope: Envelope): TelemetryEvent | DropReason {
  const task = objectIn(raw, 'long_task')
  const facts = factsOf(task, envelope)
  const duration = millisecondsIn(task, 'duration')
  if (facts === undefined || duration === undefined) return 'invalid'
  const scripts = listIn(task, 'scripts')
    .filter(isObject)
    .map((script) => ({
      source: textIn(script, 'source_url') ?? '',
      function: textIn(script, 'source_function_name') ?? textIn(script, 'invoker') ?? '',
      ms: millisecondsIn(script, 'duration') ?? 0,
    }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, limits.scriptsPerLongFrame)
  const blocking = millisecondsIn(task, 'blocking_duration') ?? Math.max(0, duration - longTask)
  return { ...facts, kind: 'long_frame', duration, blocking, scripts }
}

function convertVital(raw: JsonObject, envelope: Envelope): TelemetryEvent | DropReason {
  const vital = objectIn(raw, 'vital')
  const type = textIn(vital, 'type') ?? 'duration'
  const socket = objectIn(vital, 'websocket')
  const address = textIn(socket, 'url')
  const facts = factsOf(vital, envelope, {
    'datadog.type': type,
    ...wordsOf(vital, ['description', 'step_type', 'operation_key', 'failure_reason']),
    ...wordsOf(socket, ['close_code', 'was_clean'], 'websocket.'),
    ...given('websocket.url', address === undefined ? undefined : readAddress(address).kept),
  })
  const name = textIn(vital, 'name')
  if (facts === undefined || name === undefined) return 'invalid'
  const duration = millisecondsIn(vital, 'duration') ?? millisecondsIn(socket, 'duration')
  return {
    ...facts,
    kind: 'custom',
    name,
    ...given('duration', duration),
    // Metrics aggregate this value.
    ...given('value', type === 'duration' ? duration : undefined),
  }
}

function wordsOf(value: JsonObject, names: readonly string[], prefix = ''): NonNullable<Facts['attributes']> {
  const found: NonNullable<Facts['attributes']> = {}
  for (const name of names) {
    const member = value[name]
    if (typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean') {
      found[`${prefix}${name}`] = member
    }
  }
  return found
}

/** The client may name two actions and later keep one. The first represents both until the action itself arrives. */
function actionOf({ actions }: Envelope): { action?: string } {
  const [first] = actions
  return first === undefined ? {} : { action: first }
}
