import type { Call, ReplyOf } from '@telltale/core/contract/call'
import {
  fillPath,
  type LooseRequest,
  queryText,
  type RequestOf,
  requestHeaders,
} from '@telltale/core/contract/request'
import { limits } from '@telltale/core/limits'
import { noteTemplate } from './call-templates.ts'
import { askForConfirmation } from './confirmation.ts'
import { noteAnswer } from './connection.ts'
import { noAnswer, readProblem } from './problem.ts'

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
  const loose: LooseRequest = requested
  const response = await askOnce(to, loose)
  if (response.ok) return response
  const problem = await readProblem(response)
  if (!problem.is('confirmation-required') || !(await askForConfirmation())) throw problem
  const again = await askOnce(to, loose)
  if (!again.ok) throw await readProblem(again)
  return again
}

function askOnce(to: Call, loose: LooseRequest): Promise<Response> {
  return ask(addressOf(to.path, loose), {
    method: to.method,
    headers: requestHeaders(loose),
    body: bodyOf(loose.body),
    signal: withTimeout(loose.signal),
  })
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
  { params = {}, query = {} }: Pick<LooseRequest, 'params' | 'query'>,
): string {
  const filled = fillPath(path, params)
  noteTemplate(filled, path)
  return `${filled}${queryText(query)}`
}
