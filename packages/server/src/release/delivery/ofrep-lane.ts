// Fast path for OFREP: requests that can be answered from memory bypass Fastify. Anything unusual (a key to
// look up, an error, an encoding, a different spelling of the path) falls through to `ofrep-routes.ts`, which
// gives the same responses.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { credentialIn } from '../../organisation/keys/sdk-key.ts'
import { createClientAddress } from '../../platform/http/client-address.ts'
import { corsHeaders } from '../../platform/http/open-to-pages.ts'
import type { Lane } from '../../platform/http/server.ts'
import type { Config } from '../../platform/process/config.ts'
import type { Log } from '../../platform/process/log.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import type { Delivery } from './delivery.ts'
import {
  answerBulk,
  answerSingle,
  bulkPath,
  type OfrepAnswer,
  type OfrepQuestion,
  refuse,
  singlePath,
} from './ofrep.ts'
import { type OfrepHeaders, readOfrepHeaders } from './ofrep-headers.ts'

/** Measures the responses of a route: status and duration. */
type DurationsOf = (route: string) => (status: number, time: number) => void

interface OfrepRequest {
  /** One flag; undefined for all. */
  flag: string | undefined
  key: KnownKey
  served: ServedRuleSet
  headers: OfrepHeaders
  request: IncomingMessage
}

/** At most what a connection buffers anyway. */
const smallBody = 16_384
/** Compression makes smaller responses larger, or hardly smaller. */
export const compressAbove = 1_024
/** Takes a third of the time of the default level, for a tenth more bytes. */
const level = { level: constants.Z_BEST_SPEED }
const compress = promisify(gzip)

export function createOfrepLane(
  delivery: Delivery,
  { config, log }: { config: Pick<Config, 'trustedProxies'>; log: Log },
  durationsOf: DurationsOf,
): Lane {
  const { keys, ruleSets, now } = delivery
  const addressOf = createClientAddress(config.trustedProxies)
  const observe = { bulk: durationsOf(bulkPath), single: durationsOf(singlePath) }

  const answer = (requested: OfrepRequest, body: Buffer | undefined): OfrepAnswer => {
    const { flag, key, served, headers, request } = requested
    const question: OfrepQuestion = {
      ...{ key, body, delivery },
      address: () => addressOf(request),
      header: headersOf(request),
    }
    try {
      return flag === undefined
        ? answerBulk(served, question, { known: headers.known, now: now() })
        : answerSingle(served, flag, question)
    } catch (error) {
      log.error({ err: error }, 'an evaluation failed')
      return refuse(500, { flag, errorCode: 'GENERAL', details: 'Internal error; see the server log.' })
    }
  }

  return (request, response) => {
    const { url = '', method } = request
    if (method !== 'POST' || !url.startsWith(bulkPath)) return false
    const path = pathOf(url)
    const headers = path && readOfrepHeaders(request)
    if (headers === undefined || !hasPlainBody(headers)) return false
    const credential = credentialIn(headers.authorization, headers.apiKey)
    const key = credential === undefined ? undefined : keys.find(credential, headers.origin)
    const served = key && ruleSets.find(key.environment.id)
    if (path === undefined || key === undefined || served === undefined) return false

    const { flag } = path
    const begun = performance.now()
    readBody(request, Number(headers.length), (body) => {
      const answered = answer({ flag, key, served, headers, request }, body)
      send(answered, headers, response)?.catch((error: unknown) => {
        log.error({ err: error }, 'an answer could not be sent')
        response.destroy()
      })
      observe[flag === undefined ? 'bulk' : 'single'](answered.status, performance.now() - begun)
    })
    return true
  }
}

/** By lower-case name; undefined for one that was sent several times. */
export function headersOf({ headers }: Pick<IncomingMessage, 'headers'>) {
  return (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
}

/** Length known, not compressed, and too small to claim memory for. */
function hasPlainBody({ length, encoding }: OfrepHeaders): boolean {
  return length !== undefined && Number(length) <= smallBody && encoding === undefined
}

/** The requested flag, if any; undefined for other paths. */
export function pathOf(url: string): { flag: string | undefined } | undefined {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (path.length === bulkPath.length) return { flag: undefined }
  const flag = path.slice(bulkPath.length + 1)
  const isPlain = path[bulkPath.length] === '/' && (plainKey.test(flag) || !isEncoded(flag))
  return isPlain ? { flag } : undefined
}

/** Keys with only one spelling in a URL. */
const plainKey = /^[\w.~-]+$/

/** Older clients do not encode the key, and `100%` is not a valid encoding: Fastify would reject the URL. */
function isEncoded(flag: string): boolean {
  try {
    decodeURIComponent(flag)
    return true
  } catch {
    // Not a valid encoding, so it is not the key of a flag.
    return false
  }
}

function readBody(request: IncomingMessage, length: number, use: (body: Buffer | undefined) => void): void {
  let body: Buffer | undefined
  let size = 0
  request.on('data', (chunk: Buffer) => {
    if (body === undefined && chunk.length === length) body = chunk
    else {
      // Copied into one buffer: as separate buffers, single bytes would take 300 times their size.
      body ??= Buffer.allocUnsafeSlow(length)
      chunk.copy(body, size)
    }
    size += chunk.length
  })
  request.on('end', () => use(body))
  // If the client disconnects, nothing has been started yet.
  request.on('error', () => undefined)
}

const cors = Object.entries(corsHeaders).flat()
const json = ['content-type', 'application/json; charset=utf-8']
const validated = ['cache-control', 'private, no-cache', 'vary', 'accept-encoding']

function send(
  { status, text, size, tag }: OfrepAnswer,
  { accept }: OfrepHeaders,
  response: ServerResponse,
): Promise<void> | undefined {
  const headers = tag === undefined ? cors : [...cors, ...validated, 'etag', tag]
  if (status === 304) {
    response.writeHead(304, headers).end()
    return undefined
  }
  if (tag !== undefined && size > compressAbove && accept !== undefined && acceptsGzip.test(accept)) {
    return compress(text, level).then((bytes) => {
      const encoding = ['content-encoding', 'gzip', 'content-length', String(bytes.length)]
      response.writeHead(status, [...headers, ...json, ...encoding]).end(bytes)
    })
  }
  // As many bytes as characters means ASCII, which can be written without encoding each character.
  const encoding = size === text.length ? 'latin1' : 'utf8'
  response.writeHead(status, [...headers, ...json, 'content-length', String(size)]).end(text, encoding)
  return undefined
}

export const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/
