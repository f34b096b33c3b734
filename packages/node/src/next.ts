// A wrapper for route handlers of Next.js, and of whatever answers a `Request` with a `Response`. The duration is that
// until the response is returned: a body that is streamed comes later.

import {
  type MeasuredRequest,
  measureRequest,
  type RequestOptions,
  type RequestReporter,
  traceIn,
} from './measured-request.ts'

export type { RequestOptions, RequestReporter } from './measured-request.ts'

interface HandlerOptions<Request> extends RequestOptions<Request> {
  /** The route as a template, such as `/orders/[id]`. */
  route?: string | undefined
}

/** The part of a web request that is read. */
export interface WebRequest {
  method: string
  url: string
  headers?: { get(name: string): string | null } | undefined
}

interface WebResponse {
  status: number
}

/** `export const GET = telltaleHandler(flags, { route: '/orders/[id]' }, async (request, { params }) => …)` */
export function telltaleHandler<
  Request extends WebRequest,
  More extends readonly unknown[],
  Answer extends WebResponse,
>(
  reporter: RequestReporter,
  { route, context, ignore }: HandlerOptions<Request>,
  handler: (request: Request, ...more: More) => Answer | Promise<Answer>,
): (request: Request, ...more: More) => Promise<Answer> {
  return async (request, ...more) => {
    if (ignore?.(request) === true) return handler(request, ...more)
    return measureRequest(
      reporter,
      { context: () => context?.(request), traceId: traceIn(request.headers?.get('traceparent')) },
      async (one) => {
        const end = (status: number) =>
          one.end({ method: request.method, url: pathOf(request.url), route, status })
        try {
          const response = await handler(request, ...more)
          end(response.status)
          return response
        } catch (error) {
          end(statusOfThrown(error, one))
          throw error
        }
      },
    )
  }
}

/** Next.js throws to redirect and for pages that do not exist: that is no error. */
function statusOfThrown(error: unknown, one: MeasuredRequest): number {
  const digest = digestOf(error)
  if (!digest.startsWith('NEXT_')) {
    one.captureError(error)
    return 500
  }
  // `NEXT_REDIRECT;replace;/login;307;` and `NEXT_HTTP_ERROR_FALLBACK;404`.
  const status = /;([1-5]\d\d);?$/.exec(digest)?.[1]
  return status === undefined ? (digest === 'NEXT_NOT_FOUND' ? 404 : 307) : Number(status)
}

function digestOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return ''
  return typeof error.digest === 'string' ? error.digest : ''
}

function pathOf(url: string): string {
  try {
    return new URL(url, 'http://localhost').pathname
  } catch {
    return url
  }
}
