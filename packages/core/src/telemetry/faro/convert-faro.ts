// What a request of Faro's client becomes. The views of its session are found or begun on the way.

import type { DropReason, EventKind, TelemetryEvent } from '../../contract/events.ts'
import { limits } from '../../limits.ts'
import { given, objectIn, shortIn, textIn } from '../json.ts'
import type { RumContext, RumEvent } from '../rum-event.ts'
import { convertFaroError } from './convert-faro-error.ts'
import {
  customEvent,
  eventNames,
  flagOf,
  isRequest,
  timedResource,
  tracedRequest,
  userAction,
} from './convert-faro-event.ts'
import { convertMeasurement, readVital } from './convert-faro-measurement.ts'
import { type FaroView, type FaroVisit, loadAt, loadView, pageView, pathOf, viewAt } from './faro-views.ts'
import { clientStarts, type FaroItem, type FaroMeta } from './read-faro.ts'

interface FaroRequest {
  meta: FaroMeta
  items: readonly FaroItem[]
  session: string
  visit: FaroVisit
  /** Makes an ID from a text, for this session. */
  idOf(text: string): string
  /** Names the request: the same whenever it is sent again. */
  request: string
}

export interface ConvertedFaro {
  events: RumEvent[]
  /** Those that the events belong to. */
  views: Set<FaroView>
  dropped: { reason: DropReason; kind: EventKind | 'unknown' }[]
}

export function convertFaro(given: FaroRequest): ConvertedFaro {
  const converted: ConvertedFaro = { events: [], views: new Set(), dropped: [] }
  for (const [index, item] of given.items.entries()) {
    if (item.kind === 'log') continue
    const found = convertItem(item, given, given.idOf(`${given.request} ${index}`))
    if ('reason' in found) converted.dropped.push(found)
    else if ('event' in found) {
      converted.events.push(eventOf(found, given))
      if (found.view !== undefined) converted.views.add(found.view)
    } else converted.views.add(found.view)
  }
  for (const view of converted.views) {
    if (view.isStored) continue
    const { id, name, startedAt: at } = view
    converted.events.push(eventOf({ event: { kind: 'view', id, at, context: 0, name }, view }, given))
  }
  return converted
}

interface FoundEvent {
  event: TelemetryEvent
  view: FaroView | undefined
  flags?: RumEvent['flags']
}
type Found = FoundEvent | { view: FaroView } | { reason: DropReason; kind: EventKind | 'unknown' }
type Facts = Pick<TelemetryEvent, 'id' | 'at' | 'context'>

const noTraits = { account: {}, context: {} }

function eventOf({ event, view, flags = {} }: FoundEvent, { meta, session }: FaroRequest): RumEvent {
  const { user, userKey, service, version, attributes } = meta
  const isOfPage = view === undefined || (meta.url !== undefined && pathOf(meta.url) === view.path)
  const url = isOfPage ? meta.url : view.url
  const page = view?.page ?? meta.page
  const about: RumContext = {
    ...{ session, weight: 1, attributes, ...given('view', view?.id) },
    ...{ ...given('url', url), ...given('page', page) },
    ...{ ...given('service', service), ...given('version', version) },
    ...(userKey !== undefined && { userKey, sessionUserKey: userKey }),
  }
  return { event, about, actions: [], flags, traits: { usr: user, ...noTraits } }
}

const invalid = (kind: EventKind | 'unknown'): Found => ({ reason: 'invalid', kind })

function convertItem({ kind, at, raw }: FaroItem, from: FaroRequest, id: string): Found {
  if (at === undefined) return invalid('unknown')
  const facts: Facts = { id, at, context: 0 }
  if (kind === 'event') return convertEvent({ raw, facts }, from)
  if (kind === 'measurement') return convertNumbers({ raw, facts }, from)
  const error = convertFaroError(raw)
  if (error === undefined) return invalid('error')
  const event = { ...error, ...facts, ...links(raw, from) }
  return { event, view: ofPage(at, from) }
}

type Read = Pick<FaroItem, 'raw'> & { facts: Facts }

/** The user action and the trace that an item belongs to. */
function links(raw: FaroItem['raw'], { idOf }: FaroRequest) {
  const [action, trace] = [objectIn(raw, 'action'), textIn(objectIn(raw, 'trace'), 'trace_id')]
  const parent = shortIn(action, 'parentId')
  return { ...given('action', parent && idOf(`action ${parent}`)), ...given('traceId', trace) }
}

function ofPage(at: number, { meta: { url }, visit, idOf }: FaroRequest): FaroView | undefined {
  return url === undefined ? viewAt(visit, at) : pageView(visit, { at, url, idOf })
}

function convertNumbers({ raw, facts }: Read, from: FaroRequest): Found {
  const vital = readVital(raw)
  if (vital === undefined) {
    const event = convertMeasurement(raw, facts)
    return event === undefined ? invalid('custom') : { event, view: ofPage(facts.at, from) }
  }
  const { name, value, target, navigation, isOfReturn } = vital
  if (isOfReturn) return { reason: 'discarded', kind: 'vital' }
  const view = loadAt(from.visit, facts.at, navigation) ?? ofPage(facts.at, from)
  const rev = Math.min(view?.vitals.get(name) ?? 0, limits.vitalRevisionMaximum)
  view?.vitals.set(name, rev + 1)
  return { event: { ...facts, kind: 'vital', name, value, rev, ...given('target', target) }, view }
}

function convertEvent({ raw, facts }: Read, from: FaroRequest): Found {
  const name = textIn(raw, 'name')
  if (name === undefined) return invalid('custom')
  if (name.startsWith(eventNames.recording)) return { reason: 'unsupported_recording', kind: 'unknown' }
  const attributes = objectIn(raw, 'attributes')
  const { visit, meta, idOf } = from
  const { at } = facts
  switch (name) {
    case eventNames.navigation: {
      const [url, navigation] = [textIn(attributes, 'name'), textIn(attributes, 'faroNavigationId') ?? '']
      const event = timedResource(attributes, facts)
      if (event === undefined || url === undefined) return invalid('resource')
      return { event, view: loadView(visit, { at, url, idOf, navigation }) }
    }
    case eventNames.resource:
      return convertTimed({ raw, facts }, from)
    case eventNames.action: {
      const action = idOf(`action ${textIn(objectIn(raw, 'action'), 'id')}`)
      const event = userAction(raw, facts, action)
      return event === undefined ? invalid('action') : { event, view: viewAt(visit, at) ?? ofPage(at, from) }
    }
    case eventNames.pageChange:
    case eventNames.routeChange:
      return convertChange(name, { raw, facts }, from)
    default: {
      if (name.startsWith(eventNames.span)) return convertTraced(name, { raw, facts }, from)
      if (clientStarts.has(name) && meta.url !== undefined) loadView(visit, { at, url: meta.url, idOf })
      const event = customEvent(name, raw, facts)
      return { event, view: ofPage(at, from), flags: flagOf(name, attributes) }
    }
  }
}

/** The page became another, without being loaded. */
function convertChange(name: string, { raw, facts }: Read, { visit, meta, idOf }: FaroRequest): Found {
  const attributes = objectIn(raw, 'attributes')
  const url = textIn(attributes, 'toUrl') ?? meta.url
  if (url === undefined) return invalid('view')
  const duration = Number(attributes.duration)
  // The first is sent once the page is still.
  const isLate = name === eventNames.pageChange && Number.isFinite(duration)
  const view = pageView(visit, { at: facts.at - (isLate ? Math.max(0, duration) : 0), url, idOf })
  const route = textIn(attributes, 'toRoute')
  if (route?.startsWith('/')) view.page = route
  return { view }
}

const requestsKept = 100
/** The browser's timings and the clock of spans differ by less. */
const tolerance = 50

/** The span of a request arrives later than its timing, and says more. */
function convertTimed({ raw, facts }: Read, from: FaroRequest): Found {
  const attributes = objectIn(raw, 'attributes')
  const event = timedResource(attributes, facts)
  if (event === undefined) return invalid('resource')
  const { visit } = from
  const view = viewAt(visit, facts.at, textIn(attributes, 'faroNavigationId')) ?? ofPage(facts.at, from)
  if (isRequest(event) && event.kind === 'resource') {
    // Requests from before the client started have no span.
    if (visit.isTraced && facts.at >= (view?.initAt ?? view?.startedAt ?? 0)) return reportedTwice
    visit.requests.push({ url: event.url, at: facts.at })
    if (visit.requests.length > requestsKept) visit.requests.shift()
  }
  return { event: { ...event, ...links(raw, from) }, view }
}

function convertTraced(name: string, { raw, facts }: Read, from: FaroRequest): Found {
  const { visit } = from
  visit.isTraced = true
  const event = tracedRequest(name, raw, facts)
  if (event?.kind !== 'resource') return { reason: 'unknown_kind', kind: 'unknown' }
  const { at, url, duration } = event
  const isTimed = visit.requests.some(
    (timed) => timed.url === url && timed.at >= at - tolerance && timed.at <= at + duration + tolerance,
  )
  if (isTimed) return reportedTwice
  return { event: { ...event, ...links(raw, from) }, view: viewAt(visit, at) ?? ofPage(at, from) }
}

const reportedTwice: Found = { reason: 'reported_twice', kind: 'resource' }
