// Collects bytes that arrive in chunks into one buffer: a body that arrives byte by byte would otherwise be a million
// buffers, each of which takes 300 times its content.

import type { MemoryClaim } from './memory-budget.ts'

export interface GrowingBuffer {
  push(chunk: Uint8Array): void
  /** The bytes so far. Valid until the next push. */
  bytes(): Buffer
  /** Releases its memory before the whole request is over. */
  release(): void
}

const firstBytes = 4_096

export function createGrowingBuffer(claim: MemoryClaim): GrowingBuffer {
  let held: Buffer = Buffer.alloc(0)
  let length = 0

  return {
    push(chunk) {
      const needed = length + chunk.length
      if (needed > held.length) {
        const size = Math.max(needed, 2 * held.length, firstBytes)
        const before = held
        // Both exist while one is copied into the other.
        claim.grow(size)
        held = Buffer.allocUnsafeSlow(size)
        before.copy(held, 0, 0, length)
        claim.shrink(before.length)
      }
      held.set(chunk, length)
      length = needed
    },
    bytes: () => held.subarray(0, length),
    release() {
      claim.shrink(held.length)
      held = Buffer.alloc(0)
      length = 0
    },
  }
}
