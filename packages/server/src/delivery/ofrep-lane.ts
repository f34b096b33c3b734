// The short way to OFREP: requests that can be answered at once, from memory, are taken off before Fastify sees them.
// Whatever is unusual in a request (a key to be looked up, a refusal, an encoding, a path that is spelled differently)
// is left to `ofrep-routes.ts`, which gives the same answers by the long way.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { limits } from '@telltale/core/limits'
import type { Lane } from '../http/server.ts'
import type { Services } from '../services.ts'
import { corsHeaders } from './cors.ts'
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

/** Told of every answer, for the metrics. */
type Observe = (route: string, status: number, time: number) => void

const { evaluationBodySize } = limits
/** Smaller answers get larger by compression, or hardly smaller. */
const compressAbove = 1_024
/** A third of the time of the usual level, for a tenth more bytes. */
const level = { level: constants.Z_BEST_SPEED }
const compress = promisify(gzip)

export function createOfrepLane(delivery: Delivery, { log }: Services, observe: Observe): Lane {
  const { keys, ruleSets, now } = delivery

  return (request, response) => {
    const { url = '', method, headers } = request
    if (method !== 'POST' || !url.startsWith(bulkPath) || !hasPlainBody(request)) return false
    const path = pathOf(url)
    const key = path === undefined ? undefined : keys.find(headers)
    const served = key && ruleSets.find(key.environment.id)
    if (path === undefined || key === undefined || served === undefined) return false

    const begun = performance.now()
    const finish = (answer: OfrepAnswer) => {
      send(answer, { request, response }).catch((error: unknown) => {
        log.error({ err: error }, 'an answer could not be sent')
        response.destroy()
      })
      observe(path.flag === undefined ? bulkPath : singlePath, answer.status, performance.now() - begun)
    }
    readBody(request, (body) => {
      const question: OfrepQuestion = { key, body, delivery }
      try {
        const { flag } = path
        const known = headers['if-none-match']
        finish(
          flag === undefined
            ? answerBulk(served, question, { known, now: now() })
            : answerSingle(served, flag, question),
        )
      } catch (error) {
        log.error({ err: error }, 'an evaluation failed')
        const details = 'The server failed; the fault was logged.'
        finish(refuse(500, { flag: path.flag, errorCode: 'GENERAL', details }))
      }
    })
    return true
  }
}

/** Of known length, within the limit, and not compressed. */
function hasPlainBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return (
    length !== undefined && Number(length) <= evaluationBodySize && headers['content-encoding'] === undefined
  )
}

/** The flag that is asked for, if it is one; nothing for a path that is not one of ours. */
function pathOf(url: string): { flag: string | undefined } | undefined {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  if (path.length === bulkPath.length) return { flag: undefined }
  const flag = path.slice(bulkPath.length + 1)
  const isPlain = path[bulkPath.length] === '/' && plainKey.test(flag)
  return isPlain ? { flag } : undefined
}

/** Nothing that could be spelled in another way. */
const plainKey = /^[\w.~-]+$/

function readBody(request: IncomingMessage, use: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => use(chunks.length > 1 ? Buffer.concat(chunks) : chunks[0]))
  // Who goes away in the middle gets no answer; nothing was begun.
  request.on('error', () => undefined)
}

const cors = Object.entries(corsHeaders).flat()
const json = ['content-type', 'application/json; charset=utf-8']
const validated = ['cache-control', 'private, no-cache', 'vary', 'accept-encoding']

async function send(
  { status, body, tag }: OfrepAnswer,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const headers = tag === undefined ? cors : [...cors, ...validated, 'etag', tag]
  if (status === 304) {
    response.writeHead(304, headers).end()
    return
  }
  const accepts = tag !== undefined && body.length > compressAbove && acceptsGzip(request)
  const bytes = accepts ? await compress(body, level) : body
  const encoding = accepts ? ['content-encoding', 'gzip'] : []
  const length = typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.length
  response.writeHead(status, [...headers, ...json, ...encoding, 'content-length', String(length)]).end(bytes)
}

function acceptsGzip({ headers }: IncomingMessage): boolean {
  const accepted = headers['accept-encoding']
  return typeof accepted === 'string' && /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/.test(accepted)
}
