// Requests of clients that an edge has kept on its disk and passes on: `/relayed` before the path, the key of the edge
// as the credential, and headers for what the edge knew of the client. They count only once the key of the edge is
// checked: until then `relayedBy` is undefined.

import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

export const relayedPrefix = '/relayed'
/** Names of headers: the id of the client's key, its shortened address, and how long the request waited (ms). */
export const relayHeaders = {
  key: 'x-telltale-relay-key',
  address: 'x-telltale-relay-address',
  waited: 'x-telltale-relay-waited',
} as const

export interface Relayed {
  /** The id of the key with which the client sent the request to the edge. */
  keyId: string
  /** Of the client, without its last part; empty when unknown. */
  address: string
  /** Milliseconds between its arrival at the edge and now. */
  waited: number
}

/** By the raw request, because the path is rewritten before Fastify has an object for it. */
const claims = new WeakMap<IncomingMessage, { relayed: Relayed; isTrusted: boolean }>()

interface Requested {
  raw: IncomingMessage
}

/** The path without the prefix. Notes what the headers say; another path is returned as it is. */
export function rewriteRelayed(request: IncomingMessage): string {
  const { url = '/', headers } = request
  if (!url.startsWith(`${relayedPrefix}/`)) return url
  const keyId = textOf(headers[relayHeaders.key])
  const address = textOf(headers[relayHeaders.address])
  const waited = Number(textOf(headers[relayHeaders.waited]) || Number.NaN)
  if (keyId === '' || !Number.isFinite(waited) || waited < 0) return url
  const relayed = { keyId, address: ipaddr.isValid(address) ? address : '', waited }
  claims.set(request, { relayed, isTrusted: false })
  return url.slice(relayedPrefix.length)
}

/** What the headers say, before the key of the edge is checked. */
export function relayClaimOf({ raw }: Requested): Relayed | undefined {
  return claims.get(raw)?.relayed
}

/** Marks the headers as those of an edge. */
export function trustRelay({ raw }: Requested): void {
  const claim = claims.get(raw)
  if (claim !== undefined) claim.isTrusted = true
}

/** Undefined for requests that came directly, and until the key of the edge is checked. */
export function relayedBy({ raw }: Requested): Relayed | undefined {
  const claim = claims.get(raw)
  return claim?.isTrusted === true ? claim.relayed : undefined
}

/** The address of the client, whichever way its request came. */
export function clientAddressOf(request: Requested & { ip: string }): string {
  return relayedBy(request)?.address ?? request.ip
}

const textOf = (value: string | string[] | undefined) => (typeof value === 'string' ? value : '')
