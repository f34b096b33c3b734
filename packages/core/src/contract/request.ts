// What a client gives to a call, and the address that follows.

import type { BodyOf, Call, ParamsOf, QueryOf } from './call.ts'

type Part<Name extends string, Value> =
  Record<never, never> extends Value ? { readonly [N in Name]?: Value } : { readonly [N in Name]: Value }
type BodyPart<Value> = [Value] extends [undefined] ? Record<never, never> : { readonly body: Value }

export type RequestOf<C extends Call> = Part<'params', ParamsOf<C>> &
  Part<'query', { readonly [N in keyof QueryOf<C>]: QueryOf<C>[N] | undefined }> &
  BodyPart<BodyOf<C>> & {
    /** The version that was read. The write is refused if the stored version is newer. */
    readonly ifMatch?: number | undefined
    /** One key per intended creation, reused for every retry. */
    readonly idempotencyKey?: string | undefined
    readonly signal?: AbortSignal | undefined
  }

/** A request whose call is not known to the compiler. */
export interface LooseRequest {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  ifMatch?: number | undefined
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

/** `/api/v1/projects/:project` with its parameters in place, without the query. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

/** With the question mark, or empty. Lists are repeated, and what is undefined is left out. */
export function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined)
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

export function requestHeaders({ body, ifMatch, idempotencyKey }: LooseRequest): Record<string, string> {
  const bytes = body instanceof Uint8Array
  return {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
    ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
}
