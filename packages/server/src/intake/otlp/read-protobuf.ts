// The protobuf encoding of OTLP: field numbers of `opentelemetry/proto/trace/v1` and `logs/v1`.

import {
  type OtlpItem,
  type OtlpLogRecord,
  type OtlpSpan,
  type OtlpValue,
  readOtlpId,
} from '@telltale/core/telemetry/otlp/otlp'
import {
  durationOf,
  endOfMessage,
  microsecondsOf,
  openReader,
  type ProtobufReader,
  readAnyValue,
  readFields,
  readNanoseconds,
  readPair,
  skipMessage,
  wires,
} from './protobuf-message.ts'

type Attributes = (readonly [string, OtlpValue])[]

const readId = (reader: ProtobufReader, bytes: 8 | 16) =>
  readOtlpId(Buffer.from(reader.bytes()).toString('hex'), bytes)

const never = { low: 0, high: 0 }

function readSpan(reader: ProtobufReader, end: number): OtlpSpan {
  const attributes: Attributes = []
  const events: OtlpSpan['events'][number][] = []
  const links: OtlpSpan['links'][number][] = []
  const span = { traceId: '', spanId: '', parentId: '', name: '', kind: 0, leftOut: 0 }
  let [begun, ended] = [never, never]
  let status = { status: 0, statusMessage: '' }
  readFields(reader, end, (field, wire) => {
    if (wire === wires.bytes) {
      if (field === 1) span.traceId = readId(reader, 16)
      else if (field === 2) span.spanId = readId(reader, 8)
      else if (field === 4) span.parentId = readId(reader, 8)
      else if (field === 5) span.name = reader.string()
      else if (field === 9) attributes.push(readPair(reader))
      else if (field === 11) events.push(readEvent(reader, endOfMessage(reader)))
      else if (field === 13) links.push(readLink(reader, endOfMessage(reader)))
      else if (field === 15) status = readStatus(reader, endOfMessage(reader))
      else return false
      return true
    }
    if (wire === wires.fixed64 && field === 7) begun = readNanoseconds(reader)
    else if (wire === wires.fixed64 && field === 8) ended = readNanoseconds(reader)
    else if (wire === wires.varint && field === 6) span.kind = reader.int32()
    else if (wire === wires.varint && (field === 10 || field === 12 || field === 14))
      span.leftOut += reader.uint32()
    else return false
    return true
  })
  return {
    ...span,
    ...status,
    attributes,
    events,
    links,
    startedAt: microsecondsOf(begun),
    duration: durationOf(begun, ended),
  }
}

function readEvent(reader: ProtobufReader, end: number): OtlpSpan['events'][number] {
  const event = { at: 0, name: '', attributes: [] as Attributes }
  readFields(reader, end, (field, wire) => {
    if (field === 1 && wire === wires.fixed64) event.at = microsecondsOf(readNanoseconds(reader))
    else if (field === 2 && wire === wires.bytes) event.name = reader.string()
    else if (field === 3 && wire === wires.bytes) event.attributes.push(readPair(reader))
    else return false
    return true
  })
  return event
}

function readLink(reader: ProtobufReader, end: number): OtlpSpan['links'][number] {
  const link = { traceId: '', spanId: '', attributes: [] as Attributes }
  readFields(reader, end, (field, wire) => {
    if (wire !== wires.bytes) return false
    if (field === 1) link.traceId = readId(reader, 16)
    else if (field === 2) link.spanId = readId(reader, 8)
    else if (field === 4) link.attributes.push(readPair(reader))
    else return false
    return true
  })
  return link
}

function readStatus(reader: ProtobufReader, end: number): { status: number; statusMessage: string } {
  const status = { status: 0, statusMessage: '' }
  readFields(reader, end, (field, wire) => {
    if (field === 2 && wire === wires.bytes) status.statusMessage = reader.string()
    else if (field === 3 && wire === wires.varint) status.status = reader.int32()
    else return false
    return true
  })
  return status
}

function readLogRecord(reader: ProtobufReader, end: number): OtlpLogRecord {
  const attributes: Attributes = []
  const record = {
    at: 0,
    observedAt: 0,
    severity: 0,
    severityText: '',
    eventName: '',
    body: null as OtlpValue,
    traceId: '',
    spanId: '',
    leftOut: 0,
  }
  readFields(reader, end, (field, wire) => {
    if (wire === wires.bytes) {
      if (field === 3) record.severityText = reader.string()
      else if (field === 5) record.body = readAnyValue(reader, endOfMessage(reader))
      else if (field === 6) attributes.push(readPair(reader))
      else if (field === 9) record.traceId = readId(reader, 16)
      else if (field === 10) record.spanId = readId(reader, 8)
      else if (field === 12) record.eventName = reader.string()
      else return false
      return true
    }
    if (wire === wires.fixed64 && field === 1) record.at = microsecondsOf(readNanoseconds(reader))
    else if (wire === wires.fixed64 && field === 11)
      record.observedAt = microsecondsOf(readNanoseconds(reader))
    else if (wire === wires.varint && field === 2) record.severity = reader.int32()
    else if (wire === wires.varint && field === 7) record.leftOut = reader.uint32()
    else return false
    return true
  })
  return { ...record, attributes }
}

interface Part {
  start: number
  end: number
}

/** Field 1 of the message, and where the occurrences of field 2 are: they may come in any order. */
function partsOf(reader: ProtobufReader, { start, end }: Part): { first: Part | undefined; second: Part[] } {
  let first: Part | undefined
  const second: Part[] = []
  reader.pos = start
  readFields(reader, end, (field, wire) => {
    if (wire !== wires.bytes || field > 2) return false
    const part = skipMessage(reader)
    if (field === 1) first = part
    else second.push(part)
    return true
  })
  return { first, second }
}

function readResource(reader: ProtobufReader, part: Part | undefined): { attributes: Attributes } {
  const attributes: Attributes = []
  if (part === undefined) return { attributes }
  reader.pos = part.start
  readFields(reader, part.end, (field, wire) => {
    if (field !== 1 || wire !== wires.bytes) return false
    attributes.push(readPair(reader))
    return true
  })
  return { attributes }
}

function readScope(reader: ProtobufReader, part: Part | undefined): string {
  let name = ''
  if (part === undefined) return name
  reader.pos = part.start
  readFields(reader, part.end, (field, wire) => {
    if (field !== 1 || wire !== wires.bytes) return false
    name = reader.string()
    return true
  })
  return name
}

/** Both requests have the same form: resources, of each the scopes, and of each the items. */
function* readItems<Item>(
  bytes: Buffer,
  read: (reader: ProtobufReader, end: number) => Item,
): Generator<OtlpItem<Item>, void> {
  const reader = openReader(bytes)
  for (const ofResource of resourcesOf(reader, bytes.length)) {
    const { first, second } = partsOf(reader, ofResource)
    const resource = readResource(reader, first)
    for (const ofScope of second) {
      const parts = partsOf(reader, ofScope)
      const scope = readScope(reader, parts.first)
      for (const { start, end } of parts.second) {
        reader.pos = start
        yield { item: read(reader, end), resource, scope }
      }
    }
  }
}

function resourcesOf(reader: ProtobufReader, end: number): Part[] {
  const parts: Part[] = []
  readFields(reader, end, (field, wire) => {
    if (field !== 1 || wire !== wires.bytes) return false
    parts.push(skipMessage(reader))
    return true
  })
  return parts
}

export const readSpansOfProtobuf = (bytes: Buffer): Iterable<OtlpItem<OtlpSpan>> => readItems(bytes, readSpan)

export const readLogsOfProtobuf = (bytes: Buffer): Iterable<OtlpItem<OtlpLogRecord>> =>
  readItems(bytes, readLogRecord)
