// The HTTP server without its routes: ids, headers, bodies, refusals.

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { v7 as newId } from 'uuid'
import type { Config } from '../config.ts'
import type { Log } from '../services.ts'
import { readJson } from './body.ts'
import { sendProblem, toProblem } from './problems.ts'

const second = 1_000
/** A targeting key of 512 characters, each of which may take three encoded bytes. */
const longestParameter = 4_608
/** Smaller answers get larger by compression. */
const compressAboveBytes = 1_024
/** Longer than proxies keep idle connections, so that they, not we, close first. */
const keepAliveTimeout = 72 * second

/** Answers a request and says so, or leaves it untouched. */
export type Lane = (request: IncomingMessage, response: ServerResponse) => boolean

export interface Server {
  server: FastifyInstance
  /** Lets a lane see every request before Fastify does, until the server closes. */
  openLane(lane: Lane): void
}

export async function createServer(config: Config, log: Log): Promise<Server> {
  let lane: Lane | undefined
  const server = Fastify({
    serverFactory: (handle) =>
      createHttpServer(
        { keepAliveTimeout, requestTimeout: limits.requestTimeout },
        (request: IncomingMessage, response: ServerResponse) => {
          if (lane?.(request, response) !== true) handle(request, response)
        },
      ),
    loggerInstance: log,
    // One line for each answer, below, instead of two for each request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    genReqId: () => newId(),
    bodyLimit: limits.bodySize,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: longestParameter },
    return503OnClosing: true,
    frameworkErrors: (error, request, reply) => sendProblem(request, reply, toProblem(error, request)),
  })

  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => readJson(body),
  )
  server.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => body,
  )
  server.setErrorHandler((error, request, reply) => sendProblem(request, reply, toProblem(error, request)))
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    request.caller = { kind: 'anonymous' }
  })
  server.addHook('onResponse', async (request, reply) => {
    request.log.debug(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        ms: reply.elapsedTime,
      },
      'answered',
    )
  })

  await server.register(helmet, securityHeaders(config))
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

/** Refuses the methods that a path does not have. */
export function refuseOtherMethods(server: FastifyInstance, path: string, methods: readonly string[]): void {
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => !methods.includes(method),
  )
  server.route({
    method: others,
    url: path,
    exposeHeadRoute: false,
    onRequest: async (_request, reply) => {
      reply.header('allow', methods.join(', '))
      throw problem('method-not-allowed', `Allowed here: ${methods.join(', ')}.`)
    },
    handler: () => undefined,
  })
}

function securityHeaders(config: Config) {
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
