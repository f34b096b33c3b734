// Spans of Sentry's clients in one form: streamed ones (version 11 on), those of a transaction, and single ones.

import { isObject, type JsonObject, listIn, objectIn, textIn } from '../json.ts'
import { traceIdIn } from './sentry-id.ts'
import { timeIn } from './sentry-time.ts'

export interface SentrySpan {
  op: string
  name: string
  traceId: string
  spanId: string
  /** Empty for the root of a trace. */
  parentId: string
  /** Milliseconds since 1970. */
  start: number
  end: number
  isFailed: boolean
  /** The whole of a page load, a navigation or a request to a server. */
  isSegment: boolean
  attributes: JsonObject
  /** Of a transaction, `lcp` in milliseconds and others. */
  measurements: JsonObject
}

/** Of the item `span` with several, where each attribute has a type beside its value. */
export function streamedSpans(payload: JsonObject): SentrySpan[] {
  return listIn(payload, 'items')
    .filter(isObject)
    .flatMap((raw) => {
      const attributes = Object.fromEntries(
        Object.entries(objectIn(raw, 'attributes')).map(([name, given]) => [
          name,
          isObject(given) ? given.value : given,
        ]),
      )
      return spanOf(raw, {
        ...{ attributes, isSegment: raw.is_segment === true },
        name: textIn(raw, 'name') ?? '',
        end: timeIn(raw, 'end_timestamp'),
      })
    })
}

/** The transaction itself first. */
export function transactionSpans(payload: JsonObject): SentrySpan[] {
  const trace = objectIn(objectIn(payload, 'contexts'), 'trace')
  const name = textIn(payload, 'transaction') ?? ''
  const source = textIn(objectIn(payload, 'transaction_info'), 'source')
  const times = { start_timestamp: payload.start_timestamp, measurements: payload.measurements }
  const whole = spanOf(
    { ...trace, ...times },
    {
      ...{ name, isSegment: true, end: timeIn(payload, 'timestamp') },
      attributes: { 'sentry.source': source, ...objectIn(trace, 'data') },
    },
  )
  return [...whole, ...listIn(payload, 'spans').filter(isObject).flatMap(singleSpan)]
}

/** A single span: clients before version 11 send late web vitals in this form. */
export function singleSpan(raw: JsonObject): SentrySpan[] {
  return spanOf(raw, {
    name: textIn(raw, 'description') ?? '',
    attributes: objectIn(raw, 'data'),
    isSegment: raw.is_segment === true,
    end: timeIn(raw, 'timestamp'),
  })
}

type Read = Pick<SentrySpan, 'name' | 'attributes' | 'isSegment'> & { end: number | undefined }

const spanIdForm = /^[0-9a-f]{16}$/
const succeeded = new Set(['ok', 'unset', 'cancelled'])

function spanOf(raw: JsonObject, { end, ...read }: Read): SentrySpan[] {
  const start = timeIn(raw, 'start_timestamp')
  const traceId = traceIdIn(raw)
  const spanId = textIn(raw, 'span_id')
  if (start === undefined || end === undefined || traceId === undefined || end < start) return []
  if (spanId === undefined || !spanIdForm.test(spanId)) return []
  const op = textIn(raw, 'op') ?? textIn(read.attributes, 'sentry.op') ?? ''
  const isFailed = !succeeded.has(textIn(raw, 'status') ?? 'ok')
  return [
    {
      ...read,
      op,
      traceId,
      spanId,
      parentId: textIn(raw, 'parent_span_id') ?? '',
      start,
      end,
      isFailed,
      measurements: objectIn(raw, 'measurements'),
    },
  ]
}
