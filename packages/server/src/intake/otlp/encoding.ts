// Answers of OTLP/HTTP: always in the encoding of the request, with a `google.rpc.Status` for a refusal. Clients send
// again after 429, 502, 503 and 504, and drop everything else.

import protobuf from 'protobufjs/minimal.js'

export type Encoding = 'protobuf' | 'json'

const types: Readonly<Record<Encoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
}

export const contentTypeOf = (encoding: Encoding) => types[encoding]

/** Undefined for anything else. */
export function encodingOf(contentType: string | undefined): Encoding | undefined {
  const [type = ''] = (contentType ?? '').split(';', 1)
  switch (type.trim().toLowerCase()) {
    case 'application/x-protobuf':
    case 'application/protobuf':
      return 'protobuf'
    case 'application/json':
      return 'json'
    default:
      return undefined
  }
}

export interface Receipt {
  /** Spans or log records that are not stored: the client must not send them again. */
  rejected: number
  /** Why, or a warning. */
  message: string
}

/** Empty when everything is stored and there is nothing to say. */
export function encodeReceipt(
  { rejected, message }: Receipt,
  { encoding, rejectedName }: { encoding: Encoding; rejectedName: string },
): Buffer {
  const isWhole = rejected === 0 && message === ''
  if (encoding === 'json') {
    const partialSuccess = { [rejectedName]: String(rejected), errorMessage: message }
    return Buffer.from(JSON.stringify(isWhole ? {} : { partialSuccess }))
  }
  if (isWhole) return Buffer.alloc(0)
  const writer = protobuf.Writer.create()
  writer.uint32(0x0a).fork()
  if (rejected > 0) writer.uint32(0x08).int64(rejected)
  if (message !== '') writer.uint32(0x12).string(message)
  return Buffer.from(writer.ldelim().finish())
}

const codes = new Map([
  [401, 16],
  [403, 7],
  [404, 5],
  [429, 8],
  [500, 13],
  [503, 14],
])
const invalidArgument = 3

export function encodeStatus(status: number, message: string, encoding: Encoding): Buffer {
  const code = codes.get(status) ?? invalidArgument
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }))
  return Buffer.from(protobuf.Writer.create().uint32(0x08).int32(code).uint32(0x12).string(message).finish())
}
