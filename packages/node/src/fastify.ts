// A plugin for Fastify 4 and 5.

import {
  clientClosed,
  isServerError,
  type MeasuredRequest,
  measureRequest,
  type RequestOptions,
  type RequestReporter,
  safely,
  traceIn,
} from './measured-request.ts'

export type { RequestOptions, RequestReporter } from './measured-request.ts'

/** The part of a request of Fastify that is read. */
export interface FastifyRequestPart {
  method: string
  url: string
  routeOptions?: { url?: string | undefined } | undefined
  headers?: Readonly<Record<string, unknown>> | undefined
}

export interface FastifyReplyPart {
  statusCode: number
  raw: {
    headersSent: boolean
    writableFinished: boolean
    once(event: 'close' | 'finish', listener: () => void): unknown
  }
}

type Done = () => void

/** The hooks that the plugin adds. */
export interface FastifyPart<Request, Reply> {
  addHook(name: 'onRequest', hook: (request: Request, reply: Reply, done: Done) => void): unknown
  addHook(name: 'preValidation', hook: (request: Request, reply: Reply, done: Done) => void): unknown
  addHook(name: 'onError', hook: (request: Request, reply: Reply, error: Error, done: Done) => void): unknown
}

const measured = new WeakMap<object, MeasuredRequest>()

/** `await app.register(telltaleFastify(flags))`, before the routes. */
export function telltaleFastify<Asked extends object = FastifyRequestPart>(
  reporter: RequestReporter,
  { context, ignore }: RequestOptions<Asked> = {},
) {
  const plugin = (
    app: FastifyPart<Asked & FastifyRequestPart, FastifyReplyPart>,
    _options: unknown,
    ready: Done,
  ): void => {
    app.addHook('onRequest', (request, reply, done) => {
      if (safely(() => ignore?.(request)) === true) return done()
      const traceId = traceIn(request.headers?.traceparent)
      measureRequest(reporter, { context: () => context?.(request), traceId }, (one) => {
        measured.set(request, one)
        // The first of both: an aborted response is closed and never finished.
        const end = () => one.end(outcomeOf(request, reply))
        reply.raw.once('finish', end)
        reply.raw.once('close', end)
        done()
      })
    })
    // Parsing a body ends in the scope of the connection.
    app.addHook('preValidation', (request, _reply, done) => {
      const one = measured.get(request)
      if (one === undefined) done()
      else one.run(done)
    })
    // biome-ignore lint/complexity/useMaxParams: the hook of Fastify
    app.addHook('onError', (request, _reply, error, done) => {
      if (isServerError(error)) {
        const one = measured.get(request)
        if (one === undefined) reporter.captureError(error, { handled: false })
        else one.captureError(error)
      }
      done()
    })
    ready()
  }
  // For the whole application, not for the plugin's own routes: what the package fastify-plugin does.
  return Object.assign(plugin, {
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'telltale',
  })
}

function outcomeOf({ method, url, routeOptions }: FastifyRequestPart, { raw, statusCode }: FastifyReplyPart) {
  const isAnswered = raw.headersSent || raw.writableFinished
  return { method, url, route: routeOptions?.url, status: isAnswered ? statusCode : clientClosed }
}
