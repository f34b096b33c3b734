// One request to an untrusted server: its duration, the size of the response and the target are limited, and
// every response is reported. Redirects are not followed, because only the configured URL was approved.

import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { limits } from '@telltale/core/limits'
import { inTime } from '../../platform/http/in-time.ts'
import { onlyTo, type Resolve, type Resolved, reach } from '../../platform/http/reach.ts'

export interface Outcome {
  status: number | null
  /** Null on success. */
  failure: string | null
  /** The first bytes of the response. */
  answer: string
  /** The receiver's requested delay, in milliseconds. */
  retryAfter?: number
}

interface Posting {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

interface Ways {
  networks: readonly string[]
  resolve: Resolve
  timeout?: number
}

/** Standard Webhooks: the receiver wants no further requests. */
export const gone = 410

/** Never throws. */
export async function post(posting: Posting, ways: Ways): Promise<Outcome> {
  const timeout = ways.timeout ?? limits.deliveryTimeout
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeout)
  try {
    const url = new URL(posting.url)
    const addresses = await inTime(reach(url.hostname, ways), late.signal)
    return await exchange(url, posting, { addresses, signal: late.signal })
  } catch (error) {
    const failure = late.signal.aborted ? tooLate(timeout) : explain(error)
    return { status: null, failure, answer: '' }
  } finally {
    clearTimeout(timer)
  }
}

export const tooLate = (timeout: number) => `No response within ${Math.round(timeout / 1_000)} s.`

function exchange(
  url: URL,
  { headers, body }: Posting,
  { addresses, signal }: { addresses: readonly Resolved[]; signal: AbortSignal },
): Promise<Outcome> {
  const bytes = Buffer.from(body)
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': bytes.length, connection: 'close' },
    // A separate connection, because a reused one could lead to an address that was not checked.
    agent: false,
    lookup: onlyTo(addresses),
    signal,
  }
  return new Promise((resolve, reject) => {
    let hasAnswered = false
    const begin = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = begin(url, options, (response) => {
      hasAnswered = true
      readAnswer(response).then((answer) => resolve(judge(response, answer)), reject)
    })
    // Without this handler, Node would not report a response that switches protocols.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(judge(response, ''))
    })
    // After a response, an error only cuts off the rest of its body.
    request.on('error', (error) => {
      if (!hasAnswered) reject(error)
    })
    request.on('close', () => {
      if (!hasAnswered) reject(new Error(words.ECONNRESET))
    })
    request.end(bytes)
  })
}

/** Cuts off long responses; an interrupted response counts as far as it was received. */
function readAnswer(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  return new Promise((resolve) => {
    const finish = () => {
      const kept = Buffer.concat(parts).subarray(0, limits.deliveryAnswerKept)
      resolve(kept.toString('utf8'))
    }
    response.on('data', (part: Buffer) => {
      if (size < limits.deliveryAnswerKept) parts.push(part)
      size += part.length
      if (size <= limits.deliveryAnswerRead) return
      finish()
      response.destroy()
    })
    response.on('end', finish)
    response.on('error', finish)
    response.on('close', finish)
  })
}

function judge({ statusCode, headers }: IncomingMessage, answer: string): Outcome {
  const status = statusCode ?? 0
  if (status >= 200 && status < 300) return { status, failure: null, answer }
  if (status >= 300 && status < 400) {
    const to = (headers.location ?? 'nowhere').slice(0, 200)
    return { status, failure: `Responded with ${status} to ${to}: redirects are not followed.`, answer }
  }
  if (status === gone) {
    return { status, failure: 'Responded with 410 Gone.', answer }
  }
  const retryAfter = readRetryAfter(headers)
  return {
    status,
    failure: `Responded with ${status}.`,
    answer,
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

/** Seconds, or an instant by the receiver's clock. */
function readRetryAfter({ 'retry-after': given = '', date = '' }: IncomingHttpHeaders): number | undefined {
  const span = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.parse(date)
  return span > 0 ? Math.min(span, limits.deliveryPauseMaximum) : undefined
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed.',
  EPIPE: 'The connection was closed.',
  ETIMEDOUT: 'The host does not respond.',
  ENOTFOUND: 'Unknown host name.',
  EAI_AGAIN: 'DNS lookup failed.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
  EPROTO: 'The server does not support TLS, which https:// requires.',
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('HPE_')) return `The response is not HTTP (${error.message}).`
  return words[code] ?? (error.message || code || error.name)
}
