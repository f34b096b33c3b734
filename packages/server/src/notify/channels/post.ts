// One request to a stranger: the time, the size of the answer and where it goes are bounded, and what came back is told
// whatever it was. Redirects are not followed: nobody but the person who wrote the address decides where it leads.

import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { limits } from '@telltale/core/limits'
import { inTime } from './in-time.ts'
import { type Resolve, type Resolved, reach } from './reach.ts'

export interface Outcome {
  status: number | null
  /** Null on success. */
  failure: string | null
  /** The first bytes of the answer. */
  answer: string
  /** How long the receiver wants to be left alone, in milliseconds. */
  retryAfter?: number
}

export interface Posting {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

export interface Ways {
  networks: readonly string[]
  resolve: Resolve
  timeout?: number
}

/** Standard Webhooks: whoever answers so wants nothing any more. */
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
    // A connection of its own: one that is kept could lead to what was not checked.
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
    // Nobody asked for another protocol; left alone, Node says nothing more of such a request.
    request.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(judge(response, ''))
    })
    // Once it has answered, what breaks off is the rest of the answer.
    request.on('error', (error) => {
      if (!hasAnswered) reject(error)
    })
    request.on('close', () => {
      if (!hasAnswered) reject(new Error(words.ECONNRESET))
    })
    request.end(bytes)
  })
}

/** Whatever name is asked for, these addresses are the answer. */
function onlyTo(addresses: readonly Resolved[]): LookupFunction {
  return (_host, { all }, done) => {
    const [first] = addresses
    if (all === true) done(null, [...addresses])
    else if (first === undefined) done(new Error('no address'), '', 4)
    else done(null, first.address, first.family)
  }
}

/** Whoever sends more than anybody reads is cut off, and whoever breaks off has said what it has said. */
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

/** Seconds, or an instant by the clock of the receiver. */
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
