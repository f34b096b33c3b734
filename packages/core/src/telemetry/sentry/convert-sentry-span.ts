// Converts spans of a browser: page loads and navigations are views, requests and files resources, and web vitals
// belong to the view of their trace. Other spans have no counterpart among events.

import type { EventOf, TelemetryEvent } from '../../contract/events.ts'
import { given, type JsonObject, numberIn, objectIn, textIn } from '../json.ts'
import { idOfSpan, viewOfTrace } from './sentry-id.ts'
import type { SentrySpan } from './sentry-span.ts'

const beginnings: Readonly<Record<string, NonNullable<EventOf<'view'>['name']>>> = {
  pageload: 'load',
  navigation: 'route',
}

/** Whether a view begins with the span. */
export const isView = ({ op, isSegment }: SentrySpan) => isSegment && Object.hasOwn(beginnings, op)

/** The address of the page, and its template where the framework names it. */
export function pageOf({ name, attributes }: SentrySpan): { url?: string; page?: string } {
  const url = textIn(attributes, 'url.full') ?? textIn(attributes, 'url')
  const source = textIn(attributes, 'sentry.segment.name.source') ?? textIn(attributes, 'sentry.source')
  const isTemplate = name.startsWith('/') && source === 'route'
  return { ...given('url', url), ...(isTemplate && { page: name }) }
}

export function convertSentrySpan(span: SentrySpan): TelemetryEvent[] {
  const { op, traceId, spanId, start } = span
  const id = idOfSpan(traceId, spanId)
  if (id === undefined) return []
  const facts = { id, at: start, context: 0 }
  const vitals = vitalsOf(span)
  if (isView(span)) {
    const name = beginnings[op] ?? 'load'
    return [{ ...facts, id: viewOfTrace(traceId), kind: 'view', name }, ...vitals]
  }
  if (op === 'http.client' || op.startsWith('resource.')) return [resourceOf(span, facts), ...vitals]
  if (
    op === 'ui.long-animation-frame' ||
    op === 'ui.long_animation_frame' ||
    op === 'ui.long-task' ||
    op === 'ui.long_task'
  ) {
    return [longFrameOf(span, facts), ...vitals]
  }
  return vitals
}

type Facts = Pick<TelemetryEvent, 'id' | 'at' | 'context'>

const longTask = 50
const largestStatus = 999

function resourceOf({ op, name, attributes, traceId, ...span }: SentrySpan, facts: Facts): TelemetryEvent {
  const isRequest = op === 'http.client'
  const url =
    textIn(attributes, 'url.full') ??
    textIn(attributes, 'http.url') ??
    textIn(attributes, 'url') ??
    addressIn(name)
  const status = numberIn(attributes, 'http.response.status_code')
  const method = textIn(attributes, 'http.request.method') ?? textIn(attributes, 'http.method')
  const size =
    numberIn(attributes, 'http.response.body.size') ?? numberIn(attributes, 'http.response_content_length')
  const isCut = isRequest && span.isFailed && (status === undefined || status === 0)
  return {
    ...facts,
    kind: 'resource',
    url,
    type: isRequest ? (textIn(attributes, 'type') ?? 'fetch') : op.slice('resource.'.length),
    duration: span.end - span.start,
    ...given('method', isRequest ? (method ?? 'GET') : method),
    ...given('status', status === undefined || status > largestStatus ? undefined : Math.round(status)),
    ...given('size', size === undefined ? undefined : Math.round(size)),
    ...(isCut && { failed: true }),
    traceId,
  }
}

/** Of `GET https://shop.example/cart`. */
const addressIn = (name: string) => name.replace(/^[A-Z]{3,7} /, '')

function longFrameOf({ start, end, attributes }: SentrySpan, facts: Facts): TelemetryEvent {
  const source = textIn(attributes, 'browser.script.invoker') ?? textIn(attributes, 'code.file.path') ?? ''
  const duration = end - start
  const script = {
    source: textIn(attributes, 'code.file.path') ?? textIn(attributes, 'code.filepath') ?? source,
    function: textIn(attributes, 'code.function.name') ?? textIn(attributes, 'code.function') ?? source,
    ms: duration,
  }
  const scripts = source === '' ? [] : [script]
  return { ...facts, kind: 'long_frame', duration, blocking: Math.max(0, duration - longTask), scripts }
}

export type VitalName = EventOf<'vital'>['name']

const vitalNames: readonly (readonly [key: string, name: VitalName])[] = [
  ['lcp', 'LCP'],
  ['inp', 'INP'],
  ['cls', 'CLS'],
  ['fcp', 'FCP'],
  ['ttfb', 'TTFB'],
]

/** The vitals that a span carries as attributes (`browser.web_vital.lcp.value`) or measurements (`lcp`). */
function vitalsOf({ attributes, measurements, traceId, end }: SentrySpan): TelemetryEvent[] {
  return vitalNames.flatMap(([key, name]) => {
    const value = vitalIn(attributes, measurements, key)
    if (value === undefined) return []
    const target =
      textIn(attributes, `browser.web_vital.${key}.element`) ??
      textIn(attributes, `browser.web_vital.${key}.target`)
    return {
      kind: 'vital',
      id: idOfVital(traceId, name),
      at: end,
      context: 0,
      name,
      value,
      ...given('target', target),
    }
  })
}

function vitalIn(attributes: JsonObject, measurements: JsonObject, key: string): number | undefined {
  const measured = objectIn(measurements, key)
  return numberIn(attributes, `browser.web_vital.${key}.value`) ?? numberIn(measured, 'value')
}

/** One of each per view: the value of a vital is sent once it is final. */
function idOfVital(traceId: string, name: VitalName): string {
  const digits = [...name]
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join('')
    .padEnd(12, '0')
  return viewOfTrace(traceId.slice(0, 20) + digits)
}
