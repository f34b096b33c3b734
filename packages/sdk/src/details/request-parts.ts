// What is recorded of requests by `fetch` and XMLHttpRequest, and its headers.

import { isSecretHeader, scrubSecrets } from '@telltale/core/telemetry/secrets'
import type { Allowed, RecordedBody } from './bodies.ts'

export interface RecordedRequest {
  kind: 'fetch' | 'xhr'
  method: string
  /** Without query values. */
  address: string
  /** 0: no response. */
  status: number
  /** Milliseconds, until the response was there. */
  duration: number
  request: RecordedMessage
  response: RecordedMessage
}

export interface RecordedMessage {
  headers: [string, string][]
  body: RecordedBody
}

/** Of a request that the environment allows. */
export interface Permitted extends Allowed {
  url: URL
}

export interface RequestWatch {
  /** Undefined: nothing of it is recorded. */
  permit(address: string): Permitted | undefined
  now(): number
  onRequest(request: RecordedRequest): void
}

const longestHeader = 1_000

/** Those that are allowed. Credentials are not recorded, whatever the rules say. */
export function selectHeaders(headers: Iterable<[string, string]>, { headers: names, named }: Allowed) {
  const shown: [string, string][] = []
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    if (!names.includes(name) || isSecretHeader(name)) continue
    shown.push([name, scrubSecrets(value.slice(0, longestHeader), named)])
  }
  return shown
}
