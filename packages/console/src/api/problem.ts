import type { ErrorCode } from '@telltale/core/errors'

export interface Fault {
  /** A JSON pointer into the body, or `?name` for a query parameter. */
  pointer: string
  message: string
}

/** With `query-too-large`: the part of the period that can be queried. */
interface Shorter {
  from: string
  to: string
}

/** With `guard-running`: the rollout that depends on the part to change. */
export interface LockingRollout {
  id: string
  env: string
  flag: string
  parts: readonly string[]
}

interface ProblemParts {
  code: string
  status?: number | undefined
  title: string
  detail?: string | undefined
  requestId?: string | undefined
  errors?: readonly Fault[] | undefined
  permission?: string | undefined
  current?: unknown
  retryAfterSeconds?: number | undefined
  shorter?: Shorter | undefined
  rollouts?: readonly LockingRollout[] | undefined
}

/** An error response of the server (RFC 9457), or the console's own when the server does not respond. */
export class Problem extends Error {
  readonly code: string
  /** 0 without a response. */
  readonly status: number
  readonly title: string
  readonly detail: string | undefined
  readonly requestId: string | undefined
  readonly errors: readonly Fault[]
  /** With `forbidden`: the missing permission. */
  readonly permission: string | undefined
  /** With `version-conflict`: the saved state. */
  readonly current: unknown
  readonly retryAfterSeconds: number | undefined
  readonly shorter: Shorter | undefined
  readonly rollouts: readonly LockingRollout[]

  constructor(parts: ProblemParts) {
    super(parts.title)
    this.name = 'Problem'
    this.code = parts.code
    this.status = parts.status ?? 0
    this.title = parts.title
    this.detail = parts.detail
    this.requestId = parts.requestId
    this.errors = parts.errors ?? []
    this.permission = parts.permission
    this.current = parts.current
    this.retryAfterSeconds = parts.retryAfterSeconds
    this.shorter = parts.shorter
    this.rollouts = parts.rollouts ?? []
  }

  is(code: ErrorCode): boolean {
    return this.code === code
  }
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem
}

/**
 * Turns any error into a `Problem` for the screens. Anything that is not a server response is a bug in the
 * console and is reported as one.
 */
export function toProblem(error: unknown): Problem {
  if (isProblem(error)) return error
  return new Problem({
    code: 'console-failed',
    title: 'Something went wrong in the console',
    detail: error instanceof Error ? error.message : String(error),
  })
}

export function noAnswer(): Problem {
  return new Problem({
    code: 'no-answer',
    title: 'The server does not respond',
    detail: 'It may be restarting, or you may be offline. What you entered is kept.',
  })
}

export async function readProblem(response: Response): Promise<Problem> {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const body: unknown = await response.json().catch(() => undefined)
  const parts = isRecord(body) ? body : {}

  return new Problem({
    code: textOf(parts.type)?.replace(/^.*\//, '') ?? 'unreadable',
    status: response.status,
    title: textOf(parts.title) ?? `The server responded with ${response.status}`,
    detail: textOf(parts.detail),
    requestId: textOf(parts.requestId) ?? response.headers.get('x-request-id') ?? undefined,
    errors: Array.isArray(parts.errors) ? parts.errors.filter(isFault) : [],
    permission: textOf(parts.permission),
    current: parts.current,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    shorter: isShorter(parts.shorter) ? parts.shorter : undefined,
    rollouts: Array.isArray(parts.rollouts) ? parts.rollouts.filter(isLocking) : [],
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isShorter(value: unknown): value is Shorter {
  return isRecord(value) && typeof value.from === 'string' && typeof value.to === 'string'
}

function isLocking(value: unknown): value is LockingRollout {
  return (
    isRecord(value) &&
    [value.id, value.env, value.flag].every((part) => typeof part === 'string') &&
    Array.isArray(value.parts)
  )
}

function isFault(value: unknown): value is Fault {
  return isRecord(value) && typeof value.pointer === 'string' && typeof value.message === 'string'
}
