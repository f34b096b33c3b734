// Reads the body of a request within the limit of its route and the budget of memory. What it takes stays claimed until the
// request is answered or its connection is gone.

import type { Readable } from 'node:stream'
import { problem } from '@telltale/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { arrivingBytes } from './arriving-bytes.ts'
import { createGrowingBuffer } from './growing-buffer.ts'
import type { MemoryBudget, MemoryClaim, MemoryUse } from './memory-budget.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What its body takes, until the request is over. */
    memory: MemoryClaim
  }
  interface FastifyContextConfig {
    /** Of which part of the budget the bodies of a route are; by default of that of its scope. */
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

/** A refused bomb would be unpacked to its end, in megabytes of its own: 300 bytes of Brotli become 200 MB. */
function endUnpacking(raw: Readable, unpacking: Readable): void {
  raw.unpipe()
  unpacking.destroy()
  // A rest that nobody reads keeps the next request of the connection waiting.
  raw.resume()
}
