// One budget for the memory of what requests hand in: bodies as they arrive, what they unpack to, what they are parsed into.
// Every byte is claimed before it exists, so a small body that unpacks to a large one ends at the budget and not at the
// memory of the machine. Shares keep the uses apart: telemetry fills its part and flags are still answered.

import { type Problem, problem } from '@telltale/core/errors'

/** How full the budget may be for each use: what can be sent again later is refused first. */
const shares = { telemetry: 0.6, management: 0.85, flags: 1 } as const
const smallBytes = 65_536
export type MemoryUse = keyof typeof shares

export interface MemoryClaim {
  /**
   * Claims so many bytes more. Throws `server-busy` when others hold them, and `payload-too-large` when the budget would
   * not be enough for this request alone.
   */
  grow(bytes: number): void
  /** Gives so many bytes back. */
  shrink(bytes: number): void
  /** Gives all of it back. What is claimed afterwards is refused: the request is over. */
  release(): void
}

export interface MemoryCondition {
  usedBytes: number
  capacityBytes: number
  /** Since the start. */
  refused: ReadonlyMap<MemoryUse, number>
}

export interface MemoryBudget {
  open(use: MemoryUse): MemoryClaim
  /** Opens a claim for as long as `work` takes. */
  during<Result>(use: MemoryUse, work: (claim: MemoryClaim) => Promise<Result>): Promise<Result>
  condition(): MemoryCondition
}

export function createMemoryBudget(capacityBytes: number): MemoryBudget {
  let usedBytes = 0
  const refused = new Map<MemoryUse, number>()

  const refuse = (use: MemoryUse, refusal: Problem) => {
    refused.set(use, (refused.get(use) ?? 0) + 1)
    return refusal
  }
  const open = (use: MemoryUse): MemoryClaim => {
    const most = Math.floor(capacityBytes * shares[use])
    let held = 0
    let isOver = false
    return {
      grow(bytes) {
        if (isOver) throw refuse(use, tooBusy())
        if (held + bytes > most) throw refuse(use, tooLarge(most))
        // A small body costs no more than its connection does, and the answer decides what a page shows.
        const isSmall = use === 'flags' && held + bytes <= smallBytes
        if (!isSmall && usedBytes + bytes > most) throw refuse(use, tooBusy())
        held += bytes
        usedBytes += bytes
      },
      shrink(bytes) {
        const returned = Math.min(bytes, held)
        held -= returned
        usedBytes -= returned
      },
      release() {
        isOver = true
        usedBytes -= held
        held = 0
      },
    }
  }

  return {
    open,
    async during(use, work) {
      const claim = open(use)
      try {
        return await work(claim)
      } finally {
        claim.release()
      }
    },
    condition: () => ({ usedBytes, capacityBytes, refused }),
  }
}

function tooLarge(mostBytes: number): Problem {
  return problem(
    'payload-too-large',
    `It needs more than the ${mostBytes} bytes of memory allowed for one request (TELLTALE_REQUEST_MEMORY).`,
  )
}

/** Clients that were refused together do not come back together. */
export function tooBusy(): Problem {
  return problem('server-busy', { retryAfterSeconds: 5 + Math.floor(Math.random() * 20) })
}
