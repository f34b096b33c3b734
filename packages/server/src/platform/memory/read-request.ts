// Reads a request body within the limit of its route and the memory budget. Its memory stays claimed until the
// request is answered or its connection is closed.

import type { Readable } from 'node:stream'
import { problem } from '@telltale/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { arrivingBytes } from './arriving-bytes.ts'
import { createGrowingBuffer } from './growing-buffer.ts'
import type { MemoryBudget, MemoryClaim, MemoryUse } from './memory-budget.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Memory of its body, until the request is over. */
    memory: MemoryClaim
  }
  interface FastifyContextConfig {
    /** The budget share for the bodies of a route; defaults to the share of its scope. */
    memory?: MemoryUse
  }
}

/** Claims nothing yet. */
export function openRequestMemory(
  memory: MemoryBudget,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const claim = memory.open(request.routeOptions.config.memory ?? 'management')
  request.memory = claim
  reply.raw.once('close', claim.release)
}

export async function readRequest(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const mostBytes = request.routeOptions.bodyLimit
  const tooLarge = () => problem('payload-too-large', `The body can have at most ${mostBytes} bytes here.`)
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLarge()

  const body = createGrowingBuffer(request.memory)
  let size = 0
  try {
    for await (const chunk of arrivingBytes(payload)) {
      size += chunk.length
      if (size > mostBytes) throw tooLarge()
      body.push(chunk)
    }
  } finally {
    if (payload !== request.raw) endUnpacking(request.raw, payload)
  }
  return body.bytes()
}

/** Otherwise a rejected decompression bomb would be unpacked to its end: 300 bytes of Brotli become 200 MB. */
function endUnpacking(raw: Readable, unpacking: Readable): void {
  raw.unpipe()
  unpacking.destroy()
  // Unread bytes block the next request on the connection.
  raw.resume()
}
