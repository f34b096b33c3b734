import type { BodyOf, Call, ParamsOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { limits } from '@telltale/core/limits'
import { noteTemplate } from './call-templates.ts'
import { noteAnswer } from './connection.ts'
import { noAnswer, readProblem } from './problem.ts'

type Part<Name extends string, Value> =
  Record<never, never> extends Value ? { readonly [N in Name]?: Value } : { readonly [N in Name]: Value }
type BodyPart<Value> = [Value] extends [undefined] ? Record<never, never> : { readonly body: Value }

type RequestOf<C extends Call> = Part<'params', ParamsOf<C>> &
  Part<'query', { readonly [N in keyof QueryOf<C>]: QueryOf<C>[N] | undefined }> &
  BodyPart<BodyOf<C>> & {
    /** The version that was read. The write is refused if the stored version is newer. */
    readonly ifMatch?: number | undefined
    /** One key per intended creation, reused for every retry. */
    readonly idempotencyKey?: string | undefined
    readonly signal?: AbortSignal | undefined
  }

type Loose = {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  ifMatch?: number | undefined
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

export interface Answer<Reply> {
  readonly status: number
  readonly reply: Reply
}

/** The response of a call. Throws a `Problem` for everything else. */
export async function request<C extends Call>(to: C, requested: RequestOf<C>): Promise<ReplyOf<C>> {
  return (await send(to, requested)).reply
}

/** Like `request`, with the status: 202 means that a change request was opened instead. */
export async function send<C extends Call>(to: C, requested: RequestOf<C>): Promise<Answer<ReplyOf<C>>> {
  const response = await download(to, requested)
  // The server sends only what the contract lists.
  const reply: ReplyOf<C> = response.status === 204 ? null : await response.json()
  return { status: response.status, reply }
}

/** The raw response, for calls that return bytes. */
export async function download<C extends Call>(to: C, requested: RequestOf<C>): Promise<Response> {
  const loose: Loose = requested
  const response = await ask(addressOf(to.path, loose), {
    method: to.method,
    headers: headersOf(loose),
    body: bodyOf(loose.body),
    signal: withTimeout(loose.signal),
  })
  if (!response.ok) throw await readProblem(response)
  return response
}

/** Bytes are sent unchanged, everything else as JSON. */
function bodyOf(body: unknown): BodyInit | null {
  if (body === undefined) return null
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

async function ask(address: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, init)
    noteAnswer(response.status !== 502 && response.status !== 504)
    return response
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    noteAnswer(false)
    throw noAnswer()
  }
}

function withTimeout(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(limits.requestTimeout)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

export function addressOf(
  path: string,
  { params = {}, query = {} }: Pick<Loose, 'params' | 'query'>,
): string {
  const filled = path.replace(/:([a-zA-Z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  noteTemplate(filled, path)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) search.append(name, String(one))
    }
  }
  return search.size > 0 ? `${filled}?${search}` : filled
}

function headersOf({ body, ifMatch, idempotencyKey }: Loose): Headers {
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) {
    headers.set('content-type', body instanceof Uint8Array ? 'application/octet-stream' : 'application/json')
  }
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`)
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  return headers
}
