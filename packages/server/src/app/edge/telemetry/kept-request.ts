// A request of a client as the spool of an edge keeps it: its address, the headers that the server reads, its body, and
// in place of its key the id of the key. The address of the client is shortened: it only names a country.

import { isObject } from '@telltale/core/telemetry/json'
import ipaddr from 'ipaddr.js'
import { v4 as newId } from 'uuid'
import type { SpoolDraft } from '../../../intake/spool/record.ts'
import type { StoredRecord } from '../../../intake/spool/segment-reader.ts'

export interface KeptRequest {
  /** Path and query, without the key. */
  url: string
  headers: Record<string, string>
  keyId: string
  address: string
  body: Uint8Array
}

interface Arrival {
  environmentId: string
  receivedAt: number
}

export function draftOf({ body, ...head }: KeptRequest, { environmentId, receivedAt }: Arrival): SpoolDraft {
  return {
    kind: 'request',
    environmentId,
    batchId: newId(),
    receivedAt,
    rows: [JSON.stringify(head)],
    viewRows: [],
    bytes: body,
  }
}

/** Undefined when it is not one. */
export function requestIn({ header, body }: StoredRecord): KeptRequest | undefined {
  const head = parse(body.toString('utf8', 0, header.viewsAt))
  if (header.kind !== 'request' || !isObject(head) || !isObject(head.headers)) return undefined
  const { url, keyId, address } = head
  if (typeof url !== 'string' || typeof keyId !== 'string' || typeof address !== 'string') return undefined
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(head.headers))
    if (typeof value === 'string') headers[name] = value
  return { url, headers, keyId, address, body: body.subarray(header.viewsAt) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Headers that the intake of the server reads, besides keys. */
const kept = [
  'user-agent',
  'sec-ch-ua',
  'sec-ch-ua-platform',
  'sec-ch-ua-mobile',
  'sec-fetch-mode',
  'content-type',
  'content-encoding',
]
const longestHeader = 1_024

/** Headers with a key that the server expects to be there. */
const keyHeaders = ['dd-client-token', 'x-environment-key']
/** In place of a key. */
const placeholder = 'relayed'

export function keptHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const found = kept.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value.slice(0, longestHeader)]] : []
  })
  for (const name of keyHeaders) if (headers[name] !== undefined) found.push([name, placeholder])
  return Object.fromEntries(found)
}

/** The address of a request without its key, however it is encoded. */
export function withoutKey(url: string, key: string): string {
  if (key === '') return url
  const spellings = [key, encodeURIComponent(key), encodeURIComponent(encodeURIComponent(key))]
  return spellings.reduce((text, spelling) => text.replaceAll(spelling, placeholder), url)
}

const ipv4Kept = 24
const ipv6Kept = 48

/** The network of an address; empty for anything else. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return ''
  const parsed = ipaddr.process(address)
  const kind =
    parsed.kind() === 'ipv4' ? { of: ipaddr.IPv4, bits: ipv4Kept } : { of: ipaddr.IPv6, bits: ipv6Kept }
  return kind.of.networkAddressFromCIDR(`${parsed.toString()}/${kind.bits}`).toString()
}
