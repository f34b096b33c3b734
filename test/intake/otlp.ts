// Requests of OpenTelemetry in their JSON encoding, as exporters write them.

import { randomBytes } from 'node:crypto'

export interface SpanDraft {
  traceId?: string
  spanId?: string
  parentSpanId?: string
  name?: string
  kind?: number
  /** Milliseconds since 1970. */
  at?: number
  duration?: number
  attributes?: Record<string, unknown>
  events?: { name: string; at?: number; attributes?: Record<string, unknown> }[]
  links?: { traceId: string; spanId: string }[]
  status?: { code: number; message?: string }
}

export interface LogDraft {
  at?: number
  severityNumber?: number
  body?: unknown
  eventName?: string
  traceId?: string
  spanId?: string
  attributes?: Record<string, unknown>
}

export const newTraceId = () => randomBytes(16).toString('hex')
export const newSpanId = () => randomBytes(8).toString('hex')

export const nanos = (at: number) => `${Math.trunc(at)}${String(Math.round((at % 1) * 1e6)).padStart(6, '0')}`

function anyValue(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: attributesOf(value as Record<string, unknown>) } }
}

export const attributesOf = (attributes: Record<string, unknown> = {}) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))

export function spanOf({ at = Date.now(), duration = 10, ...span }: SpanDraft = {}): object {
  return {
    traceId: newTraceId(),
    spanId: newSpanId(),
    name: 'work',
    kind: 1,
    ...span,
    startTimeUnixNano: nanos(at),
    endTimeUnixNano: nanos(at + duration),
    attributes: attributesOf(span.attributes),
    events: (span.events ?? []).map((event) => ({
      name: event.name,
      timeUnixNano: nanos(event.at ?? at),
      attributes: attributesOf(event.attributes),
    })),
  }
}

export function logOf({ at = Date.now(), body = 'hello', ...log }: LogDraft = {}): object {
  return {
    severityNumber: 9,
    ...log,
    ...(at > 0 && { timeUnixNano: nanos(at) }),
    body: anyValue(body),
    attributes: attributesOf(log.attributes),
  }
}

export const resourceOf = (service: string, more: Record<string, unknown> = {}) => ({
  attributes: attributesOf({ 'service.name': service, ...more }),
})

export const traceRequest = (
  service: string,
  spans: readonly object[],
  more: Record<string, unknown> = {},
) => ({
  resourceSpans: [
    { resource: resourceOf(service, more), scopeSpans: [{ scope: { name: 'by hand' }, spans }] },
  ],
})

export const logRequest = (service: string, logRecords: readonly object[]) => ({
  resourceLogs: [{ resource: resourceOf(service), scopeLogs: [{ scope: { name: 'by hand' }, logRecords }] }],
})

export const exceptionEvent = (message: string) => ({
  name: 'exception',
  attributes: {
    'exception.type': 'PaymentError',
    'exception.message': message,
    'exception.stacktrace': `PaymentError: ${message}\n    at pay (/app/src/pay.js:12:3)`,
  },
})

export const evaluationEvent = (flag: string, more: Record<string, unknown>) => ({
  name: 'feature_flag.evaluation',
  attributes: { 'feature_flag.key': flag, 'feature_flag.provider.name': 'elsewhere', ...more },
})

export interface OtlpAnswer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
  body: any
}

export interface OtlpSending {
  path: '/v1/traces' | '/v1/logs'
  body: string | Uint8Array | object
  headers: Record<string, string>
}

export async function sendOtlp(url: string, { path, body, headers }: OtlpSending): Promise<OtlpAnswer> {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    body: bytes as BodyInit,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? await response.json() : Buffer.from(await response.arrayBuffer()),
  }
}
