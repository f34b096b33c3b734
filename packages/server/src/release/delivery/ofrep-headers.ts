// Reads the headers that an evaluation depends on from the raw headers, which is faster than building the
// object of all headers.

import type { IncomingMessage } from 'node:http'

export interface OfrepHeaders {
  authorization?: string
  apiKey?: string
  origin?: string
  /** `If-None-Match` */
  known?: string
  /** `Content-Length` */
  length?: string
  /** `Content-Encoding` */
  encoding?: string
  /** `Accept-Encoding` */
  accept?: string
}

const names: Record<string, keyof OfrepHeaders> = {
  authorization: 'authorization',
  'x-api-key': 'apiKey',
  origin: 'origin',
  'if-none-match': 'known',
  'content-length': 'length',
  'content-encoding': 'encoding',
  'accept-encoding': 'accept',
}
const byName = new Map(Object.entries(names))
const lengths = new Set(Object.keys(names).map(({ length }) => length))

/** Undefined if one of them is repeated, because joining repeated headers follows special rules. */
export function readOfrepHeaders({ rawHeaders }: IncomingMessage): OfrepHeaders | undefined {
  const headers: OfrepHeaders = {}
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    const member = lengths.has(name.length) ? byName.get(name.toLowerCase()) : undefined
    if (member === undefined) continue
    if (headers[member] !== undefined) return undefined
    headers[member] = rawHeaders[at + 1] ?? ''
  }
  return headers
}
