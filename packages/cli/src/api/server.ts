// The calls of the contract, from this machine.

import { Readable } from 'node:stream'
import type { Call, ReplyOf } from '@telltale/core/contract/call'
import {
  fillPath,
  type LooseRequest,
  queryText,
  type RequestOf,
  requestHeaders,
} from '@telltale/core/contract/request'
import { limits } from '@telltale/core/limits'
import { NoAnswer, readRefusal } from './refusal.ts'

export interface Server {
  /** Without a slash at the end. */
  url: string
  /** Throws a `Refusal`, or `NoAnswer`. */
  request<C extends Call>(to: C, requested: RequestOf<C>, timeout?: number): Promise<ReplyOf<C>>
  /** The bytes of a call with a download, as they arrive. Throws like `request`. */
  download<C extends Call>(to: C, requested: RequestOf<C>, timeout: number): Promise<Readable>
}

export function connectServer(url: string, token: string | undefined): Server {
  const base = url.replace(/\/+$/, '')

  async function send(to: Call, loose: LooseRequest, timeout: number): Promise<Response> {
    const response = await ask(`${base}${fillPath(to.path, loose.params)}${queryText(loose.query)}`, {
      method: to.method,
      headers: { ...requestHeaders(loose), ...(token && { authorization: `Bearer ${token}` }) },
      body: loose.body === undefined ? null : JSON.stringify(loose.body),
      signal: AbortSignal.timeout(timeout),
    })
    if (!response.ok) throw await readRefusal(response)
    return response
  }

  return {
    url: base,
    async request(to, requested, timeout = limits.requestTimeout) {
      const response = await send(to, requested, timeout)
      return response.status === 204 ? null : response.json()
    },
    async download(to, requested, timeout) {
      const { body } = await send(to, requested, timeout)
      return Readable.from(body === null ? [] : chunksOf(body))
    },
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

async function ask(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch (error) {
    throw new NoAnswer(new URL(address).origin, error)
  }
}
