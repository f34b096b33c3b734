// Converts what Faro's client sends as events: requests and files from the browser's timings, requests from spans, user
// actions, and anything else as custom events. All attributes are texts.

import type { TelemetryEvent } from '../../contract/events.ts'
import { given, type JsonObject, numberIn, objectIn, textIn } from '../json.ts'
import { textsIn } from './read-faro.ts'

export const eventNames = {
  navigation: 'faro.performance.navigation',
  resource: 'faro.performance.resource',
  span: 'faro.tracing.',
  action: 'faro.user.action',
  pageChange: 'faro.navigation',
  routeChange: 'route_change',
  recording: 'faro.session_recording.',
} as const

type Facts = Pick<TelemetryEvent, 'id' | 'at' | 'context'>

const largestStatus = 999
const nanosecondsPerMillisecond = 1e6
const types: Readonly<Record<string, string>> = {
  xmlhttprequest: 'xhr',
  'xml-http-request': 'xhr',
  navigation: 'document',
}

/** From the browser's timings, which know no method. */
export function timedResource(attributes: JsonObject, facts: Facts): TelemetryEvent | undefined {
  const url = textIn(attributes, 'name')
  if (url === undefined) return undefined
  const initiator = textIn(attributes, 'initiatorType') ?? 'other'
  const status = amountIn(attributes, 'responseStatus')
  return {
    ...{ ...facts, kind: 'resource', url, type: types[initiator] ?? initiator },
    duration: amountIn(attributes, 'duration') ?? 0,
    ...statusOf(status === 0 ? undefined : status),
    ...given('size', amountIn(attributes, 'encodedBodySize')),
  }
}

export const isRequest = (event: TelemetryEvent) =>
  event.kind === 'resource' && (event.type === 'fetch' || event.type === 'xhr')

/** From a span of a request, which ends at the time of the event. Undefined for spans of anything else. */
export function tracedRequest(name: string, raw: JsonObject, facts: Facts): TelemetryEvent | undefined {
  const attributes = objectIn(raw, 'attributes')
  const url = textIn(attributes, 'url.full') ?? textIn(attributes, 'http.url')
  if (url === undefined) return undefined
  const instrumentation = name.slice(eventNames.span.length)
  const duration = (amountIn(attributes, 'duration_ns') ?? 0) / nanosecondsPerMillisecond
  const status =
    amountIn(attributes, 'http.response.status_code') ?? amountIn(attributes, 'http.status_code') ?? 0
  return {
    ...{ ...facts, at: facts.at - duration, kind: 'resource', url, duration },
    type: types[instrumentation] ?? 'fetch',
    method: textIn(attributes, 'http.request.method') ?? textIn(attributes, 'http.method') ?? 'GET',
    ...(status === 0 ? { failed: true } : statusOf(status)),
    ...given('traceId', textIn(objectIn(raw, 'trace'), 'trace_id')),
  }
}

const actionMembers = /^userAction(?:Name|StartTime|EndTime|Duration)$/

/** From its start to the last activity that followed it. */
export function userAction(raw: JsonObject, facts: Facts, action: string): TelemetryEvent | undefined {
  const attributes = objectIn(raw, 'attributes')
  const name = textIn(attributes, 'userActionName')
  if (name === undefined) return undefined
  const others = Object.entries(textsIn(attributes)).filter(([key]) => !actionMembers.test(key))
  return {
    ...{ ...facts, kind: 'action', action, name, attributes: Object.fromEntries(others) },
    ...given('duration', amountIn(attributes, 'userActionDuration')),
  }
}

const defaultDomain = 'browser'

export function customEvent(name: string, raw: JsonObject, facts: Facts): TelemetryEvent {
  const domain = textIn(raw, 'domain')
  const attributes = {
    ...textsIn(objectIn(raw, 'attributes')),
    ...given('event.domain', domain === defaultDomain ? undefined : domain),
  }
  return { ...facts, kind: 'custom', name, attributes }
}

/** The flag that an event of the semantic conventions is about, with its value. */
export function flagOf(name: string, attributes: JsonObject): JsonObject {
  if (name !== 'feature_flag.evaluation' && name !== 'feature_flag') return {}
  const flag = textIn(attributes, 'feature_flag.key')
  const value =
    textIn(attributes, 'feature_flag.result.value') ?? textIn(attributes, 'feature_flag.result.variant')
  return flag === undefined || value === undefined ? {} : { [flag]: parseValue(value) }
}

/** Texts that are JSON are values of that type. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function statusOf(status: number | undefined): { status?: number } {
  return status === undefined || status > largestStatus ? {} : { status }
}

/** A number, or a text that is one. */
export function amountIn(attributes: JsonObject, name: string): number | undefined {
  const text = textIn(attributes, name)
  if (text === undefined) return numberIn(attributes, name)
  const amount = Number(text)
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined
}
