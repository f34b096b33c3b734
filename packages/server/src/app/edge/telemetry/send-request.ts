// Passes a request of a client on to the server, and reads what became of it.

import { Agent, type ClientRequest, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { edgeLimits } from '@telltale/core/edge-limits'
import { relayedPrefix, relayHeaders } from '../../../platform/http/relayed.ts'
import type { KeptRequest } from './kept-request.ts'

export type Outcome =
  | { kind: 'accepted' }
  /** It can never be stored. */
  | { kind: 'refused'; reason: string }
  /** `isFault`: the server answered with 500, which may be because of this request. */
  | { kind: 'later'; reason: string; isFault: boolean; after: number }

interface RelayAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface RelayServer {
  /** Of telemetry that waited for this many milliseconds. `key`: the server key of the edge. */
  send(request: KeptRequest, given: { key: string; waited: number; signal: AbortSignal }): Promise<Outcome>
  /** The answer to a call, or undefined while the server is away. */
  ask(request: KeptRequest, given: { method: string; key: string }): Promise<RelayAnswer | undefined>
  close(): void
}

export function openRelayServer(url: string): RelayServer {
  const isSecure = url.startsWith('https:')
  const begin = isSecure ? requestHttps : requestHttp
  const openAgent = (maxSockets: number) => {
    const options = { keepAlive: true, maxSockets }
    return isSecure ? new SecureAgent(options) : new Agent(options)
  }
  // Calls that a client waits for are not behind telemetry.
  const agents = {
    telemetry: openAgent(edgeLimits.edgeTelemetryLanes.value),
    calls: openAgent(edgeLimits.edgeForwardedCalls.value),
  }
  const request = (
    { url: path, headers, keyId, address, body }: KeptRequest,
    { use, method, key, waited, signal }: Sending,
  ) => {
    const timeout = AbortSignal.timeout(edgeLimits.edgeRequestTimeout.value)
    const begun = begin(`${url}${relayedPrefix}${path}`, {
      method,
      agent: agents[use],
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        ...(method === 'GET' ? {} : { 'content-length': body.length }),
        [relayHeaders.key]: keyId,
        [relayHeaders.address]: address,
        [relayHeaders.waited]: Math.round(waited),
      },
    })
    return answerOf(begun, method === 'GET' ? undefined : body)
  }

  return {
    async send(given, { key, waited, signal }) {
      try {
        return outcomeOf(await request(given, { use: 'telemetry', method: 'POST', key, waited, signal }))
      } catch (error) {
        return { kind: 'later', reason: messageOf(error), isFault: false, after: 0 }
      }
    },
    ask: (given, { method, key }) =>
      request(given, { use: 'calls', method, key, waited: 0 }).catch(() => undefined),
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

interface Sending {
  use: 'telemetry' | 'calls'
  method: string
  key: string
  waited: number
  signal?: AbortSignal
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

function answerOf(request: ClientRequest, body: Uint8Array | undefined): Promise<RelayAnswer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('error', reject).on('end', () => resolve({ status, headers, text }))
    })
    request.end(body)
  })
}

/** Not because of the client's request: these end when the server is back or updated. */
const passing = new Map([
  [401, 'the server refuses the key of this edge'],
  [403, 'the server refuses the key of this edge'],
  [404, 'the server does not accept telemetry of edges: update it first'],
  [408, 'the server did not read the request in time'],
  [429, 'the server limits the rate'],
])

function outcomeOf({ status, headers }: RelayAnswer): Outcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  const known = passing.get(status)
  const isPassing = known !== undefined || status >= 500 || status < 400
  if (!isPassing) return { kind: 'refused', reason: `the server answered with ${status}` }
  const after = Number(headers['retry-after'] ?? 0)
  return {
    kind: 'later',
    reason: known ?? `the server answered with ${status}`,
    isFault: status === 500,
    after: Number.isFinite(after) ? Math.max(0, after) * 1_000 : 0,
  }
}
