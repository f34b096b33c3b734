// One entry per call. Route, client, OpenAPI document, reference and the permission tests are derived from it.

import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import type { CallPermission } from '../permissions.ts'
import { isInstallationPermission, isProjectPermission } from '../permissions.ts'
import { type PathParameter, pathParameters } from './parameters.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface CallDraft {
  method: Method
  /** `:name` marks a path parameter; each name has one schema, in `pathParameters`. */
  path: `/api/${string}`
  /** One sentence for the reference, starting with a verb. */
  summary: string
  permission: CallPermission
  query?: TObject
  body?: TObject
  reply: TSchema
  /** The status of a successful response. Default: 200. */
  status?: 200 | 201 | 202 | 204
  /** The reply with 202 and a `Location`, if the change needs approval first. */
  accepted?: TSchema
  /** Errors specific to this call. `errorsOf` adds those that follow from its shape. */
  errors?: readonly ErrorCode[]
  /** The reply has a `version`, sent as `ETag`; writes honour `If-Match`. */
  versioned?: true
  /** Accepts a body of up to this many bytes instead of the default limit. */
  large?: number
  /** Takes bytes (`application/octet-stream`) instead of JSON, up to this many. */
  upload?: number
  /** Takes an `Idempotency-Key`: a repeated request gets the first response and changes nothing. */
  idempotent?: true
  /** Responds with server-sent events until the client disconnects; `reply` is the data of one event. */
  stream?: true
  /** Responds with bytes of this media type; `reply` describes their content. */
  download?: string
  /**
   * Also counts against the limit of guesses: failed attempts only, or all; or refused links only, for calls of which a
   * page makes many at once.
   */
  guessable?: 'failures' | 'always' | 'refusals'
  /** The body names the environment (`env`) whose role decides. */
  environmentInBody?: true
  /** A person with a second factor must have confirmed the session by it recently. */
  stepUp?: true
}

export type Call = Readonly<CallDraft>

/** Declares a call. Its literal types are kept, so that handlers and clients are typed from it. */
export function call<const Draft extends CallDraft>(draft: Draft): Readonly<Draft> {
  return draft
}

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type ParamsOf<C extends Call> = { readonly [Name in NamesIn<C['path']>]: string }
export type QueryOf<C extends Call> = C['query'] extends TSchema ? Static<C['query']> : Record<never, never>
export type BodyOf<C extends Call> = C['body'] extends TSchema
  ? Static<C['body']>
  : C['upload'] extends number
    ? Uint8Array
    : undefined
export type AcceptedOf<C extends Call> = C['accepted'] extends TSchema ? Static<C['accepted']> : never
/** The body of a successful response, including 202. */
export type ReplyOf<C extends Call> = Static<C['reply']> | AcceptedOf<C>

/** The names of the path's parameters, in order. */
export function parameterNames(path: string): PathParameter[] {
  const names = [...path.matchAll(/:([a-zA-Z]+)/g)].map((match) => match[1] ?? '')
  return names.map((name) => {
    if (!isPathParameter(name)) throw new Error(`${path}: no schema for the parameter "${name}"`)
    return name
  })
}

function isPathParameter(name: string): name is PathParameter {
  return Object.hasOwn(pathParameters, name)
}

/** Every error a call can respond with: those that follow from its shape, then its specific ones. */
export function errorsOf(call: Call): ErrorCode[] {
  const writes = call.method !== 'GET'
  const bounded = isProjectPermission(call.permission) || isInstallationPermission(call.permission)
  const has = (condition: boolean, ...codes: ErrorCode[]) => (condition ? codes : [])

  return [
    ...new Set<ErrorCode>([
      'invalid-request',
      ...has(writes, 'malformed-body', 'unsupported-encoding', 'payload-too-large'),
      ...has(call.permission !== 'anyone', 'unauthenticated'),
      ...has(writes, 'origin-not-allowed'),
      ...has(bounded || call.permission === 'person', 'forbidden'),
      ...has(bounded, 'second-factor-required'),
      ...has(call.stepUp === true, 'confirmation-required'),
      ...has(call.path.includes(':'), 'not-found'),
      ...has(call.versioned === true && writes && call.method !== 'POST', 'version-conflict'),
      ...has(call.idempotent === true, 'idempotency-key-reused'),
      ...(call.errors ?? []),
      'rate-limited',
      'engine-unavailable',
      'internal',
    ]),
  ]
}
