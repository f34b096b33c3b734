// Spans and log records of OpenTelemetry as they are read from either encoding (protobuf or JSON) of OTLP, before
// anything is checked, shortened or hidden.

export type OtlpValue =
  | string
  | number
  | boolean
  | null
  | readonly OtlpValue[]
  | { readonly [name: string]: OtlpValue }

export type OtlpAttributes = readonly (readonly [name: string, value: OtlpValue])[]

/** What produced the spans or records: a service. */
export interface OtlpResource {
  attributes: OtlpAttributes
}

interface OtlpSpanEvent {
  /** Microseconds since 1970. */
  at: number
  name: string
  attributes: OtlpAttributes
}

interface OtlpLink {
  traceId: string
  spanId: string
  attributes: OtlpAttributes
}

export interface OtlpSpan {
  /** Lower-case hex; empty when it is not valid. */
  traceId: string
  spanId: string
  /** Empty for the root of a trace. */
  parentId: string
  name: string
  /** As numbered by the protocol: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  /** Microseconds since 1970. */
  startedAt: number
  /** Milliseconds. */
  duration: number
  attributes: OtlpAttributes
  events: readonly OtlpSpanEvent[]
  links: readonly OtlpLink[]
  /** 0 unset, 1 ok, 2 error. */
  status: number
  statusMessage: string
  /** Attributes, events and links that the client left out. */
  leftOut: number
}

export interface OtlpLogRecord {
  /** Microseconds since 1970; 0 when it is not known. */
  at: number
  observedAt: number
  /** 1 to 24; 0 when it is not known. */
  severity: number
  severityText: string
  eventName: string
  body: OtlpValue
  attributes: OtlpAttributes
  traceId: string
  spanId: string
  leftOut: number
}

/** One span or record with the resource and the instrumentation that made it. */
export interface OtlpItem<Item> {
  item: Item
  resource: OtlpResource
  /** The name of the instrumentation library. */
  scope: string
}

const zeros = /^0*$/
const hex = /^[0-9a-f]+$/

/** A valid ID in lower case, or empty: all zeros, too short and too long ones are invalid. */
export function readOtlpId(text: string, bytes: 8 | 16): string {
  const id = text.toLowerCase()
  return id.length === 2 * bytes && hex.test(id) && !zeros.test(id) ? id : ''
}

/** The first of these attributes that has a text or a number. */
export function textOfAttribute(attributes: OtlpAttributes, ...names: readonly string[]): string {
  for (const name of names) {
    const found = attributes.find(([each]) => each === name)?.[1]
    if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean')
      return String(found)
  }
  return ''
}

export function valueOfAttribute(attributes: OtlpAttributes, name: string): OtlpValue | undefined {
  return attributes.find(([each]) => each === name)?.[1]
}

/** A value as text: lists and maps as JSON. */
export function textOfValue(value: OtlpValue): string {
  if (typeof value === 'string') return value
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}
