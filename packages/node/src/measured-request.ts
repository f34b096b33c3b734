// What the integrations for frameworks share: one request, measured until its response was sent or given up, and the
// scope that knows its user and variations.

import { AsyncResource } from 'node:async_hooks'
import type { FlagContext, Flags } from './client.ts'

/** The part of a client that they use. */
export type RequestReporter = Pick<Flags, 'withContext' | 'captureError' | 'captureRequest'>

export interface RequestOptions<Request> {
  /**
   * The user of a request. Called when it is needed, so that a user who signs in during the request is known. Without
   * it, the first evaluation in the request decides.
   */
  context?: ((request: Request) => FlagContext | undefined) | undefined
  /** Requests that are not measured, such as health checks. `OPTIONS` never is. */
  ignore?: ((request: Request) => boolean) | undefined
}

interface Outcome {
  method: string
  url: string
  route: string | undefined
  status: number
}

export interface MeasuredRequest {
  /** Runs in the scope of the request, whatever ran before. */
  run<Result>(work: () => Result): Result
  captureError(error: unknown): void
  /** Once: what comes later is ignored. */
  end(outcome: Outcome): void
}

/** As nginx logs a request whose client closed the connection before the response. */
export const clientClosed = 499

const parent = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/

/** The trace in a `traceparent` header of W3C Trace Context. */
export function traceIn(header: unknown): string | undefined {
  const id = typeof header === 'string' ? parent.exec(header)?.[1] : undefined
  return id === undefined || /^0+$/.test(id) ? undefined : id
}

interface RequestScope {
  context(): FlagContext | undefined
  traceId: string | undefined
}

/** Runs `work` in the scope of a new request. */
export function measureRequest<Result>(
  reporter: RequestReporter,
  { context, traceId }: RequestScope,
  work: (request: MeasuredRequest) => Result,
): Result {
  const begun = performance.now()
  const inside = () => {
    // Streams emit their events in the scope in which the connection was opened.
    const scope = new AsyncResource('TelltaleRequest', { requireManualDestroy: false })
    let isEnded = false
    return work({
      run: (later) => scope.runInAsyncScope(later),
      captureError: (error) => scope.runInAsyncScope(() => reporter.captureError(error, { handled: false })),
      end(outcome) {
        if (isEnded) return
        isEnded = true
        const duration = performance.now() - begun
        if (outcome.method === 'OPTIONS') return
        scope.runInAsyncScope(() => reporter.captureRequest({ ...outcome, duration }))
      },
    })
  }
  return reporter.withContext(context, inside, { traceId })
}

/** Errors that answer a request with 4xx are about the request. */
export function isServerError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return true
  const given: { status?: unknown; statusCode?: unknown } = error
  const status = given.statusCode ?? given.status
  return !(typeof status === 'number' && status >= 400 && status < 500)
}

/** A callback of the application must not break the request. */
export function safely<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
