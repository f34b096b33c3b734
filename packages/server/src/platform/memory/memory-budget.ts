// One memory budget for request data: bodies as they arrive, their unpacked bytes and the parsed result. Every byte
// is claimed before it is allocated, so a small body that unpacks to a large one is limited by the budget and not by
// the machine's memory. Shares separate the uses: when telemetry fills its share, flags are still served.

import { type Problem, problem } from '@telltale/core/errors'

/** How full the budget may be for each use: data that can be sent again later is rejected first. */
const shares = { telemetry: 0.6, management: 0.85, flags: 1 } as const
const smallBytes = 65_536
export type MemoryUse = keyof typeof shares

export interface MemoryClaim {
  /**
   * Claims more bytes. Throws `server-busy` when other requests hold them, and `payload-too-large` when the budget
   * would not be enough for this request alone.
   */
  grow(bytes: number): void
  /** Releases this many bytes. */
  shrink(bytes: number): void
  /** Releases everything. Later claims are rejected: the request is over. */
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
  /** Opens a claim for the duration of `work`. */
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
        // A small body costs no more than its connection, and the response decides what a page shows.
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

/** Jitter: clients that were rejected together do not retry together. */
export function tooBusy(): Problem {
  return problem('server-busy', { retryAfterSeconds: 5 + Math.floor(Math.random() * 20) })
}
