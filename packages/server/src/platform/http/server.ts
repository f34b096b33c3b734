// The HTTP server without its routes: ids, headers, bodies, errors.

import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type onResponseHookHandler,
} from 'fastify'
import type { MemoryBudget } from '../memory/memory-budget.ts'
import { takeParseTurn } from '../memory/parse-turn.ts'
import { parsedSize } from '../memory/parsed-size.ts'
import { openRequestMemory, readRequest } from '../memory/read-request.ts'
import type { Config } from '../process/config.ts'
import type { Draining } from '../process/draining.ts'
import type { Log } from '../process/log.ts'
import { sendProblem, toProblem } from './problems.ts'
import { rewriteRelayed } from './relayed.ts'
import { readStrictJson } from './strict-json.ts'

const second = 1_000
/** Fits a targeting key of 512 characters, each of which may take three encoded bytes. */
const longestParameter = 4_608
/** Compression makes smaller responses larger. */
const compressAboveBytes = 1_024
/** Longer than the idle timeout of proxies, so that they close connections first. */
export const keepAliveTimeout = 72 * second

/** Answers a request and returns true, or leaves it untouched. */
export type Lane = (request: IncomingMessage, response: ServerResponse) => boolean

export interface Server {
  server: FastifyInstance
  /** Lets a fast path handle every request before Fastify, until the server closes. */
  openLane(lane: Lane): void
}

interface ServerParts {
  config: Pick<Config, 'trustedProxies' | 'publicUrl' | 'logLevel'>
  draining: Pick<Draining, 'hasBegun'>
  log: Log
  memory: MemoryBudget
}

export async function createServer({ config, draining, log, memory }: ServerParts): Promise<Server> {
  let lane: Lane | undefined
  const server = Fastify({
    serverFactory: (handle) =>
      createHttpServer(
        { keepAliveTimeout, requestTimeout: limits.requestTimeout },
        (request: IncomingMessage, response: ServerResponse) => {
          // The next request of the client opens a connection, which a balancer gives to another server.
          if (draining.hasBegun()) response.shouldKeepAlive = false
          if (lane?.(request, response) !== true) handle(request, response)
        },
      ),
    loggerInstance: log,
    // One log line per response, below, instead of two per request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    // From a pool of random bytes: half the time of an id that sorts by time.
    genReqId: () => randomUUID(),
    rewriteUrl: rewriteRelayed,
    bodyLimit: limits.bodySize,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: longestParameter },
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => sendProblem(request, reply, toProblem(error, request)),
  })

  server.removeAllContentTypeParsers()
  server.addContentTypeParser('application/json', readJsonBody)
  server.addContentTypeParser('application/octet-stream', readRequest)
  server.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error, request)))
  // Without promises: these run for every batch of telemetry.
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    request.caller = { kind: 'anonymous' }
    openRequestMemory(memory, { request, reply })
    done()
  })
  if (isLogged(config.logLevel)) server.addHook('onResponse', logAnswer)

  await server.register(helmet, securityHeaders(config))
  server.addHook('onRequest', (_request, reply, done) => {
    reply.header('permissions-policy', permissionsPolicy)
    done()
  })
  await server.register(compress, { threshold: compressAboveBytes, encodings: ['br', 'gzip'], global: true })
  server.addHook('preClose', async () => {
    lane = undefined
  })
  return {
    server,
    openLane: (opened) => {
      lane = opened
    },
  }
}

const isLogged = (level: Config['logLevel']) => level === 'debug'

const logAnswer: onResponseHookHandler = (request, reply, done) => {
  request.log.debug(
    {
      method: request.method,
      path: loggedPath(request.url),
      status: reply.statusCode,
      ms: reply.elapsedTime,
    },
    'answered',
  )
  done()
}

/** Without the query, and without the secrets that links of earlier versions contained in their path. */
export function loggedPath(url: string): string {
  return (url.split(/[?#]/, 1)[0] ?? '/').replace(/\btt[a-z]_[\w-]+/g, 'tt…')
}

/** The console uses none of them; it writes to the clipboard and uses passkeys. */
const refusedFeatures =
  'accelerometer autoplay camera display-capture encrypted-media geolocation gyroscope hid idle-detection magnetometer microphone midi payment picture-in-picture screen-wake-lock serial usb xr-spatial-tracking'
const permissionsPolicy = refusedFeatures
  .split(' ')
  .map((feature) => `${feature}=()`)
  .join(', ')

function securityHeaders(config: Pick<Config, 'publicUrl'>) {
  const isSecure = config.publicUrl?.protocol === 'https:'
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        frameSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'same-origin' as const },
    strictTransportSecurity: isSecure ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    xFrameOptions: { action: 'deny' as const },
  }
}

/** Reads and parses a body within the limits of its route. */
export async function readJsonBody(request: FastifyRequest, payload: Readable): Promise<unknown> {
  const body = await readRequest(request, payload)
  request.memory.grow(parsedSize(body))
  await takeParseTurn(body.length)
  return readJson(body)
}

/** The value of a JSON body, or undefined for an empty one. Throws `malformed-body` and `invalid-request`. */
function readJson(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return undefined
  const read = readStrictJson(bytes)
  if ('value' in read) return read.value
  if (read.kind === 'unstorable') throw problem('invalid-request', { errors: read.faults })

  const detail = read.faults.map(
    ({ pointer, message }) => `The body${pointer && ` at ${pointer}`} ${message}.`,
  )
  throw problem('malformed-body', { detail: detail.join(' '), errors: read.faults })
}
