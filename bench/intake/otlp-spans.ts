// Export requests of spans in protobuf, as the client for Node.js writes them: requests of an HTTP service with a query
// each, and the attributes of its instrumentations.

import { randomBytes } from 'node:crypto'
import protobuf from 'protobufjs/minimal.js'

type Writer = protobuf.Writer

export interface SpanToWrite {
  traceId: Buffer
  spanId: Buffer
  parentId: Buffer | undefined
  name: string
  kind: number
  /** Milliseconds since 1970. */
  at: number
  duration: number
  attributes: Record<string, string | number>
}

const nanosecond = 1e6
const word = 4_294_967_296

function writeTime(writer: Writer, field: number, at: number): void {
  const whole = BigInt(Math.floor(at)) * BigInt(nanosecond) + BigInt(Math.round((at % 1) * nanosecond))
  writer
    .uint32((field << 3) | 1)
    .fixed32(Number(whole & 0xffffffffn))
    .fixed32(Number(whole >> 32n))
}

function writeAttribute(writer: Writer, field: number, [key, value]: [string, string | number]): void {
  writer
    .uint32((field << 3) | 2)
    .fork()
    .uint32(10)
    .string(key)
    .uint32(18)
    .fork()
  if (typeof value === 'string') writer.uint32(10).string(value)
  else writer.uint32(24).uint32(value % word)
  writer.ldelim().ldelim()
}

function writeSpan(writer: Writer, span: SpanToWrite): void {
  writer.uint32(18).fork().uint32(10).bytes(span.traceId).uint32(18).bytes(span.spanId)
  if (span.parentId !== undefined) writer.uint32(34).bytes(span.parentId)
  writer.uint32(42).string(span.name).uint32(48).int32(span.kind)
  writeTime(writer, 7, span.at)
  writeTime(writer, 8, span.at + span.duration)
  for (const pair of Object.entries(span.attributes)) writeAttribute(writer, 9, pair)
  writer.ldelim()
}

export function writeRequest(service: string, spans: readonly SpanToWrite[]): Uint8Array<ArrayBuffer> {
  const writer = protobuf.Writer.create()
  writer.uint32(10).fork().uint32(10).fork()
  const resource = { 'service.name': service, 'service.version': '1.0', 'telemetry.sdk.language': 'nodejs' }
  for (const pair of Object.entries(resource)) writeAttribute(writer, 1, pair)
  writer.ldelim().uint32(18).fork().uint32(10).fork().uint32(10).string('bench').ldelim()
  for (const span of spans) writeSpan(writer, span)
  return new Uint8Array(writer.ldelim().ldelim().finish())
}

/** A trace of `count` spans: a request and the queries that it makes. */
export function makeTrace(traceId: Buffer, at: number, count: number): SpanToWrite[] {
  const root = randomBytes(8)
  return Array.from({ length: count }, (_, n) => ({
    traceId,
    spanId: n === 0 ? root : randomBytes(8),
    parentId: n === 0 ? undefined : root,
    name: n === 0 ? 'GET /orders/:id' : 'pg.query:SELECT shop',
    kind: n === 0 ? 2 : 3,
    at: at + n * 0.5,
    duration: n === 0 ? count : 0.4,
    attributes: n === 0 ? ofRequest(n) : ofQuery(n),
  }))
}

const ofRequest = (n: number) => ({
  'http.request.method': 'GET',
  'http.route': '/orders/:id',
  'url.path': `/orders/${n}`,
  'url.scheme': 'https',
  'server.address': 'api.shop.example',
  'network.peer.address': '10.0.0.7',
  'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  'http.response.status_code': 200,
})

const ofQuery = (n: number) => ({
  'db.system.name': 'postgresql',
  'db.namespace': 'shop',
  'db.query.text': `SELECT id, total FROM orders WHERE customer = $1 AND state = $2 LIMIT ${n % 50}`,
  'server.address': 'db.shop.example',
  'server.port': 5432,
})
