// `fetch` for addresses that someone configured: private networks only if allowed, no redirects, and the connection goes
// to an address that was checked. The caller's signal bounds the time, a limit the size of the response.

import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { limits } from '@telltale/core/limits'
import { inTime } from './in-time.ts'
import { onlyTo, type Resolve, type Resolved, reach, resolveBySystem } from './reach.ts'

interface Asked {
  method: string
  headers: Record<string, string>
  body?: unknown
  signal?: AbortSignal | undefined
}

export type GuardedFetch = (url: string, asked: Asked) => Promise<Response>

/** The host could not be asked, or did not finish its response. */
export class Unanswered extends Error {
  override name = 'Unanswered'
}

export function createGuardedFetch(
  networks: readonly string[],
  resolve: Resolve = resolveBySystem,
): GuardedFetch {
  return async (address, asked) => {
    const signal = asked.signal ?? AbortSignal.timeout(limits.providerTimeout)
    try {
      const url = new URL(address)
      const addresses = await inTime(reach(url.hostname, { networks, resolve }), signal)
      return await exchange(url, { ...asked, signal }, addresses)
    } catch (cause) {
      const reason = signal.aborted
        ? 'no response in time'
        : cause instanceof Error
          ? cause.message
          : 'failed'
      throw new Unanswered(`${new URL(address).host}: ${reason}`, { cause })
    }
  }
}

function exchange(
  url: URL,
  { method, headers, body, signal }: Asked,
  addresses: readonly Resolved[],
): Promise<Response> {
  const bytes = body === undefined || body === null ? undefined : Buffer.from(String(body))
  return new Promise((resolve, reject) => {
    const begin = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = begin(url, {
      method,
      headers: { ...headers, ...(bytes && { 'content-length': bytes.length }), connection: 'close' },
      agent: false,
      lookup: onlyTo(addresses),
      ...(signal && { signal }),
    })
    request.on('response', (response) => readWhole(response).then(resolve, reject))
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new Error('switched protocols'))
    })
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection was closed')))
    request.end(bytes)
  })
}

async function readWhole(response: IncomingMessage): Promise<Response> {
  const parts: Buffer[] = []
  let sizeBytes = 0
  for await (const part of response) {
    sizeBytes += part.length
    if (sizeBytes > limits.providerAnswerSize) {
      response.destroy()
      throw new Error(`the response has more than ${limits.providerAnswerSize} bytes`)
    }
    parts.push(part)
  }
  const { statusCode: status = 502, headers } = response
  const isEmpty = status === 204 || status === 205 || status === 304
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) kept.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: kept })
}
