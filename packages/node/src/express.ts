// Middleware for Express 4 and 5, and for whatever calls middleware like it.

import { routeTemplate } from '@telltale/core/telemetry/route-template'
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

/** The part of a request of Express that is read. */
export interface ExpressRequest {
  method?: string | undefined
  url?: string | undefined
  originalUrl?: string | undefined
  baseUrl?: string | undefined
  /** Set by the router, once a route matched. */
  route?: { path?: unknown } | undefined
  headers?: Readonly<Record<string, unknown>> | undefined
}

export interface ExpressResponse {
  statusCode: number
  headersSent: boolean
  writableFinished: boolean
  once(event: 'close' | 'finish', listener: () => void): unknown
}

type Next = (error?: unknown) => void

const measured = new WeakMap<object, MeasuredRequest>()

/** The first middleware of an application: measures requests, and gives what follows the context of the request. */
export function telltaleRequests<Asked extends object = ExpressRequest>(
  reporter: RequestReporter,
  { context, ignore }: RequestOptions<Asked> = {},
): (request: Asked & ExpressRequest, response: ExpressResponse, next: Next) => void {
  return (request, response, next) => {
    if (safely(() => ignore?.(request)) === true) return next()
    const { method = 'GET', originalUrl = request.url ?? '/' } = request
    measureRequest(
      reporter,
      { context: () => context?.(request), traceId: traceIn(request.headers?.traceparent) },
      (one) => {
        measured.set(request, one)
        const end = () =>
          one.end({ method, url: originalUrl, route: routeOf(request), status: statusOf(response) })
        // The first of both: an aborted response is closed and never finished.
        response.once('finish', end)
        response.once('close', end)
        next()
      },
    )
  }
}

/** The last middleware of an application, before its own handlers of errors: captures and passes on. */
export function telltaleErrors<Request extends ExpressRequest>(
  reporter: RequestReporter,
): (error: unknown, request: Request, response: ExpressResponse, next: Next) => void {
  // biome-ignore lint/complexity/useMaxParams: Express takes what has four parameters for a handler of errors
  return (error, request, _response, next) => {
    if (isServerError(error)) {
      const one = measured.get(request)
      if (one === undefined) reporter.captureError(error, { handled: false })
      else one.captureError(error)
    }
    next(error)
  }
}

/** A response that was never finished has the status that it would have had. */
function statusOf({ statusCode, headersSent, writableFinished }: ExpressResponse): number {
  return headersSent || writableFinished ? statusCode : clientClosed
}

/** Where a router is mounted, with the values of its parameters, and the pattern of the route. */
function routeOf({ route, baseUrl = '' }: ExpressRequest): string | undefined {
  const path = route?.path
  if (typeof path !== 'string') return undefined
  const base = baseUrl === '' ? '' : routeTemplate(baseUrl)
  return path === '/' && base !== '' ? base : `${base}${path}`
}
