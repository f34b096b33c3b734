// Reads the items of an envelope as events: errors, messages, spans of browsers, sessions and feedback. Recordings are
// read elsewhere. What has no counterpart here is counted.

import type { DropReason, EventKind, TelemetryEvent } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { isObject, type JsonObject, listIn, objectIn, shortIn, textIn } from '@telltale/core/telemetry/json'
import { userKeyOf } from '@telltale/core/telemetry/named-user'
import { noId } from '@telltale/core/telemetry/row-text'
import type { RumContext, RumEvent } from '@telltale/core/telemetry/rum-event'
import { clicksBefore, convertSentryError } from '@telltale/core/telemetry/sentry/convert-sentry-error'
import { convertSentrySpan, isView, pageOf } from '@telltale/core/telemetry/sentry/convert-sentry-span'
import { attributesOf, flagsOfAttributes, flagsOfEvent } from '@telltale/core/telemetry/sentry/sentry-context'
import { sentryIdIn, viewOfTrace } from '@telltale/core/telemetry/sentry/sentry-id'
import {
  type SentrySpan,
  singleSpan,
  streamedSpans,
  transactionSpans,
} from '@telltale/core/telemetry/sentry/sentry-span'
import { timeIn } from '@telltale/core/telemetry/sentry/sentry-time'
import { serviceOfRelease } from '@telltale/core/telemetry/sentry/write-otlp'
import { v4 as randomId } from 'uuid'
import { idOfText } from '../foreign-events/id-of-text.ts'
import type { NamedIds } from '../foreign-events/visits.ts'
import { type EnvelopeItem, readObject } from './envelope.ts'
import type { SentryParts, SentryRequest } from './request.ts'

export interface ReadItems {
  events: RumEvent[]
  dropped: { reason: DropReason; kind: EventKind | 'unknown'; count: number }[]
}

/** The session of the ids that an item names, and of its user. */
export type SessionOf = (ids: NamedIds, userKey: string | undefined) => string

/** For a request: sessions by browser; a server has none. */
export function createSessionOf({ visits, intake }: SentryParts, request: SentryRequest): SessionOf {
  const { environment, browser, address } = request
  if (browser.isServer) return () => noId
  return (ids, userKey = '') => {
    const client = [address, browser.userAgent ?? '', userKey].join('\0')
    return visits.sessionOf({ environmentId: environment.id, client, now: intake.now() }, ids, randomId)
  }
}

export function readItems(request: SentryRequest, sessionOf: SessionOf): ReadItems {
  const found: ReadItems = { events: [], dropped: [] }
  const isServer = request.browser.isServer === true
  for (const item of request.envelope.items) {
    // Spans of servers are no events of a user.
    if (isServer && signals.has(item.type)) continue
    const read = readers[item.type]
    if (read === undefined) {
      if (!readElsewhere.has(item.type)) drop(found, 'unknown_kind')
    } else if (item.payload.length > limits.foreignEventSize) drop(found, 'too_large')
    else {
      const payload = readObject(item.payload, request.claim)
      if (payload === undefined) drop(found, 'malformed')
      else read({ payload, item, isServer, sessionOf, found })
    }
  }
  return found
}

interface Reading {
  payload: JsonObject
  item: EnvelopeItem
  isServer: boolean
  sessionOf: SessionOf
  found: ReadItems
}

const readElsewhere = new Set(['replay_event', 'replay_recording', 'log'])
const signals = new Set(['span', 'transaction'])

const readers: Readonly<Record<string, (reading: Reading) => void>> = {
  event: readError,
  transaction: (reading) => readSpans(reading, transactionSpans(reading.payload)),
  span: (reading) => {
    const { payload } = reading
    readSpans(reading, Array.isArray(payload.items) ? streamedSpans(payload) : singleSpan(payload))
  },
  session: readSession,
  feedback: readFeedback,
  client_report: readReport,
}

type Kind = EventKind | 'unknown'

function drop(
  { dropped }: ReadItems,
  reason: DropReason,
  { kind = 'unknown' as Kind, count = 1 } = {},
): void {
  dropped.push({ reason, kind, count })
}

const noTraits = { account: {}, context: {} }

function readError({ payload, isServer, sessionOf, found }: Reading): void {
  const event = convertSentryError(payload)
  if (event === undefined) {
    drop(found, 'invalid', { kind: 'error' })
    return
  }
  const { about, user } = aboutOf(payload, sessionOf)
  const shared = { actions: [], flags: flagsOfEvent(payload), traits: { usr: user, ...noTraits } }
  found.events.push({ event: isServer ? withSpan(event, payload) : event, about, ...shared })
  if (isServer) return
  for (const click of clicksBefore(payload, { session: about.session, idOf: idOfText })) {
    found.events.push({ event: click, about, ...shared, flags: {} })
  }
}

/** Where the screen of its trace shows it. */
function withSpan(event: TelemetryEvent, payload: JsonObject): TelemetryEvent {
  const span = textIn(objectIn(objectIn(payload, 'contexts'), 'trace'), 'span_id')
  if (event.kind !== 'error' || span === undefined) return event
  return { ...event, attributes: { ...event.attributes, 'span.id': span } }
}

function aboutOf(payload: JsonObject, sessionOf: SessionOf): { about: RumContext; user: JsonObject } {
  const user = objectIn(payload, 'user')
  const contexts = objectIn(payload, 'contexts')
  const traceId = sentryIdIn(objectIn(contexts, 'trace'), 'trace_id')
  const replay =
    sentryIdIn(objectIn(payload, 'tags'), 'replayId') ?? sentryIdIn(objectIn(contexts, 'replay'), 'replay_id')
  const userKey = userKeyOf(user)
  const about: RumContext = { session: sessionOf({ replay, trace: traceId }, userKey), weight: 1 }
  const url = shortIn(objectIn(payload, 'request'), 'url')
  const version = shortIn(payload, 'release')
  const service = about.session === noId ? serviceOfRelease(version) : undefined
  if (service !== undefined) about.service = service
  about.hasReplay = replay !== undefined
  if (traceId !== undefined && about.session !== noId) about.view = traceId
  if (userKey !== undefined) Object.assign(about, { userKey, sessionUserKey: userKey })
  if (url !== undefined) about.url = url
  if (version !== undefined) about.version = version
  return { about, user }
}

function readSpans({ payload, sessionOf, found }: Reading, spans: readonly SentrySpan[]): void {
  if (spans.length === 0) {
    drop(found, 'invalid')
    return
  }
  const user = objectIn(payload, 'user')
  const trace = objectIn(objectIn(payload, 'contexts'), 'trace')
  for (const span of spans) {
    const { attributes } = span
    const replay =
      sentryIdIn(attributes, 'sentry.replay_id') ?? sentryIdIn(objectIn(trace, 'data'), 'sentry.replay_id')
    const userKey = textIn(attributes, 'user.id') ?? textIn(attributes, 'user.email') ?? userKeyOf(user)
    const version =
      textIn(attributes, 'sentry.release') ?? textIn(attributes, 'release') ?? textIn(payload, 'release')
    const ids = { replay, trace: viewOfTrace(span.traceId), previousTrace: previousTraceOf(span) }
    const about: RumContext = {
      ...{ session: sessionOf(ids, userKey), view: viewOfTrace(span.traceId), weight: 1 },
      ...{ hasReplay: replay !== undefined, ...(isView(span) && pageOf(span)) },
      ...(userKey !== undefined && { userKey, sessionUserKey: userKey }),
      ...(version !== undefined && { version }),
    }
    const flags = { ...flagsOfEvent(payload), ...flagsOfAttributes(attributes) }
    const converted = convertSentrySpan(span)
    if (converted.length === 0) drop(found, 'unknown_kind')
    for (const event of converted) {
      found.events.push({ event, about, actions: [], flags, traits: { usr: user, ...noTraits } })
    }
  }
}

/** `<trace id>-<span id>-<whether it was sampled>` */
function previousTraceOf({ attributes }: SentrySpan): string | undefined {
  const [trace] = (textIn(attributes, 'sentry.previous_trace') ?? '').split('-', 1)
  return sentryIdIn({ trace }, 'trace')
}

export const sessionStart = 'session_start'

/** Only its beginning is stored: how it ended is known from its errors. */
function readSession({ payload, isServer, sessionOf, found }: Reading): void {
  const [sid, at] = [sentryIdIn(payload, 'sid'), timeIn(payload, 'started')]
  if (sid === undefined || at === undefined) {
    drop(found, 'invalid')
    return
  }
  if (isServer) {
    drop(found, 'client_telemetry')
    return
  }
  const isStart = payload.init === true
  const attributes = objectIn(payload, 'attrs')
  const userKey = shortIn(payload, 'did')
  const session = sessionOf({ sid, isStart }, userKey)
  if (!isStart) return
  const version = shortIn(attributes, 'release')
  const about: RumContext = {
    ...{ session, weight: 1 },
    ...(userKey !== undefined && { userKey, sessionUserKey: userKey }),
    ...(version !== undefined && { version }),
  }
  const event: TelemetryEvent = { kind: 'custom', id: sid, at, context: 0, name: sessionStart }
  found.events.push({ event, about, actions: [], flags: {}, traits: { usr: {}, ...noTraits } })
}

function readFeedback({ payload, sessionOf, found }: Reading): void {
  const id = sentryIdIn(payload, 'event_id')
  const at = timeIn(payload, 'timestamp')
  const feedback = objectIn(objectIn(payload, 'contexts'), 'feedback')
  const message = textIn(feedback, 'message')
  if (id === undefined || at === undefined || message === undefined) {
    drop(found, 'invalid', { kind: 'custom' })
    return
  }
  const { about, user } = aboutOf(payload, sessionOf)
  const url = shortIn(feedback, 'url')
  if (url !== undefined) about.url = url
  const attributes = { ...attributesOf(payload), message }
  const event: TelemetryEvent = { kind: 'custom', id, at, context: 0, name: 'feedback', attributes }
  found.events.push({ event, about, actions: [], flags: {}, traits: { usr: user, ...noTraits } })
}

/** What the client itself discarded. */
function readReport({ payload, found }: Reading): void {
  for (const entry of listIn(payload, 'discarded_events').filter(isObject)) {
    const { quantity } = entry
    const count =
      typeof quantity === 'number' && quantity > 0 ? Math.min(Math.round(quantity), mostReported) : 0
    if (count > 0) drop(found, 'discarded', { count })
  }
}

/** A client that reports more is broken. */
const mostReported = 1_000_000
