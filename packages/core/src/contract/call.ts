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
  /** The status of success. Default: 200. */
  status?: 200 | 201 | 202 | 204
  /** What it answers, with 202 and a `Location`, when somebody else has to agree first. */
  accepted?: TSchema
  /** The errors of this call's own. Those that follow from its shape are added by `errorsOf`. */
  errors?: readonly ErrorCode[]
  /** The reply has a `version`: it travels as `ETag`, and writes honour `If-Match`. */
  versioned?: true
  /** Takes a body of up to so many bytes, instead of the usual bound. */
  large?: number
  /** Takes bytes (`application/octet-stream`) instead of JSON: at most so many. */
  upload?: number
  /** Takes an `Idempotency-Key`: a repeated request gets the first answer and changes nothing. */
  idempotent?: true
  /** Answers with server-sent events, and does not end by itself: `reply` is the data of one of them. */
  stream?: true
  /** Answers with bytes of this type: `reply` says what they are. */
  download?: string
  /** Counted against the sign-in rate too: only the attempts that failed, or all of them. */
  guessable?: 'failures' | 'always'
}

export type Call = Readonly<CallDraft>

/** Declares a call. Its literal types survive, so that handlers and clients are typed from it. */
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
/** What a success brings, 202 included. */
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

/** Every error a call can answer with: those that follow from its shape, then its own. */
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
