// The JSON encoding of OTLP: lower-camel-case members, IDs in hex, 64-bit integers as text, bytes in base64. Unknown
// members are ignored; a member of another type counts as missing.

import { isObject, type JsonObject, listIn, objectIn } from '../json.ts'
import {
  type OtlpAttributes,
  type OtlpItem,
  type OtlpLogRecord,
  type OtlpSpan,
  type OtlpValue,
  readOtlpId,
} from './otlp.ts'

const textIn = (value: JsonObject, name: string) => {
  const member = value[name]
  return typeof member === 'string' ? member : ''
}

function integerIn(value: JsonObject, name: string): number {
  const member = value[name]
  const number = typeof member === 'string' && member !== '' ? Number(member) : member
  return typeof number === 'number' && Number.isFinite(number) ? number : 0
}

const digits = /^\d{1,20}$/

/** Nanoseconds since 1970, as text or number. */
function nanosecondsIn(value: JsonObject, name: string): bigint {
  const member = value[name]
  if (typeof member === 'string' && digits.test(member)) return BigInt(member)
  return typeof member === 'number' && member > 0 && Number.isFinite(member) ? BigInt(Math.round(member)) : 0n
}

const microseconds = (nanoseconds: bigint) => Number(nanoseconds / 1_000n)

function readValue(value: unknown): OtlpValue {
  if (!isObject(value)) return null
  if (typeof value.stringValue === 'string') return value.stringValue
  if (typeof value.boolValue === 'boolean') return value.boolValue
  if (value.intValue !== undefined) return readInteger(value.intValue)
  if (value.doubleValue !== undefined) return readDouble(value.doubleValue)
  if (isObject(value.arrayValue)) return listIn(value.arrayValue, 'values').map(readValue)
  if (isObject(value.kvlistValue)) return Object.fromEntries(readAttributes(value.kvlistValue, 'values'))
  return typeof value.bytesValue === 'string' ? value.bytesValue : null
}

function readInteger(value: unknown): OtlpValue {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : typeof value === 'string' ? value : null
}

/** `NaN` and infinities are text, in JSON as in what is stored. */
function readDouble(value: unknown): OtlpValue {
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

function readAttributes(of: JsonObject, name: string): OtlpAttributes {
  return listIn(of, name).flatMap((each) =>
    isObject(each) && typeof each.key === 'string' ? [[each.key, readValue(each.value)] as const] : [],
  )
}

function readSpan(span: JsonObject): OtlpSpan {
  const start = nanosecondsIn(span, 'startTimeUnixNano')
  const end = nanosecondsIn(span, 'endTimeUnixNano')
  const status = objectIn(span, 'status')
  return {
    traceId: readOtlpId(textIn(span, 'traceId'), 16),
    spanId: readOtlpId(textIn(span, 'spanId'), 8),
    parentId: readOtlpId(textIn(span, 'parentSpanId'), 8),
    name: textIn(span, 'name'),
    kind: integerIn(span, 'kind'),
    startedAt: microseconds(start),
    duration: end > start ? Number(end - start) / 1e6 : 0,
    attributes: readAttributes(span, 'attributes'),
    events: listIn(span, 'events')
      .filter(isObject)
      .map((event) => ({
        at: microseconds(nanosecondsIn(event, 'timeUnixNano')),
        name: textIn(event, 'name'),
        attributes: readAttributes(event, 'attributes'),
      })),
    links: listIn(span, 'links')
      .filter(isObject)
      .map((link) => ({
        traceId: readOtlpId(textIn(link, 'traceId'), 16),
        spanId: readOtlpId(textIn(link, 'spanId'), 8),
        attributes: readAttributes(link, 'attributes'),
      })),
    status: integerIn(status, 'code'),
    statusMessage: textIn(status, 'message'),
    leftOut:
      integerIn(span, 'droppedAttributesCount') +
      integerIn(span, 'droppedEventsCount') +
      integerIn(span, 'droppedLinksCount'),
  }
}

function readLogRecord(record: JsonObject): OtlpLogRecord {
  return {
    at: microseconds(nanosecondsIn(record, 'timeUnixNano')),
    observedAt: microseconds(nanosecondsIn(record, 'observedTimeUnixNano')),
    severity: integerIn(record, 'severityNumber'),
    severityText: textIn(record, 'severityText'),
    eventName: textIn(record, 'eventName'),
    body: readValue(record.body),
    attributes: readAttributes(record, 'attributes'),
    traceId: readOtlpId(textIn(record, 'traceId'), 16),
    spanId: readOtlpId(textIn(record, 'spanId'), 8),
    leftOut: integerIn(record, 'droppedAttributesCount'),
  }
}

interface Members<Item> {
  resources: string
  scopes: string
  items: string
  read(item: JsonObject): Item
}

function* readItems<Item>(
  request: JsonObject,
  { resources, scopes, items, read }: Members<Item>,
): Generator<OtlpItem<Item>> {
  for (const ofResource of listIn(request, resources)) {
    if (!isObject(ofResource)) continue
    const resource = { attributes: readAttributes(objectIn(ofResource, 'resource'), 'attributes') }
    for (const ofScope of listIn(ofResource, scopes)) {
      if (!isObject(ofScope)) continue
      const scope = textIn(objectIn(ofScope, 'scope'), 'name')
      for (const item of listIn(ofScope, items))
        if (isObject(item)) yield { item: read(item), resource, scope }
    }
  }
}

export const readSpansOfJson = (request: JsonObject): Iterable<OtlpItem<OtlpSpan>> =>
  readItems(request, { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans', read: readSpan })

export const readLogsOfJson = (request: JsonObject): Iterable<OtlpItem<OtlpLogRecord>> =>
  readItems(request, {
    resources: 'resourceLogs',
    scopes: 'scopeLogs',
    items: 'logRecords',
    read: readLogRecord,
  })
