// One session for all tabs of a browser: it ends after 15 minutes of inactivity, or after four hours. Its user is the
// one at its first event, even if a user signs in later. Without storage, each page has its own session.

import type { FlagRead } from '@telltale/core/contract/events'
import { readStored, removeStored, writeStored } from './browser/store.ts'
import { createUuid } from './browser/uuid.ts'

/** A variation that the application read, and when. */
export type TimedRead = FlagRead & { readonly at: number }

export interface Session {
  readonly id: string
  readonly startedAt: number
  readonly activeAt: number
  readonly anonymousId: string
  readonly userKey?: string | undefined
  readonly signature?: string | undefined
  /** Each once, in order: for the same flag the last one applies, since its time. */
  readonly reads: readonly TimedRead[]
}

export interface Sessions {
  /** Starts a new one when the last has ended, unless the user is inactive. */
  use(isSomebodyThere: boolean): Session | undefined
  /** Returns those that are new in this session. */
  addReads(reads: readonly TimedRead[]): readonly TimedRead[]
  end(): void
}

export interface Owner {
  anonymousId: string
  userKey?: string | undefined
  signature?: string | undefined
}

export const idleLimit = 15 * 60_000
export const ageLimit = 4 * 3_600_000
/** Activity is stored at most this often. */
const precision = 10_000
/** Storage is read for other tabs at most this often. */
const patience = 1_000
/** More flags than a page reads; bounds what is stored. */
const readsKept = 500

export function createSessions(key: string, ownerOf: () => Owner): Sessions {
  const name = `telltale:${key}:session`
  let held: Session | undefined
  let lookedAt = 0

  const look = () => {
    held = parse(readStored(name)) ?? held
    lookedAt = Date.now()
  }
  const hold = (next: Session) => {
    held = next
    writeStored(name, JSON.stringify([format, next]))
  }
  return {
    use(isSomebodyThere) {
      const now = Date.now()
      if (Math.abs(now - lookedAt) > patience) look()
      // A clock that was set back makes both negative.
      const isOver =
        !held || Math.abs(now - held.activeAt) >= idleLimit || Math.abs(now - held.startedAt) >= ageLimit
      if (!isSomebodyThere) return isOver ? undefined : held
      if (isOver) hold({ id: createUuid(now), startedAt: now, activeAt: now, ...ownerOf(), reads: [] })
      else if (held && now - held.activeAt > precision) hold({ ...held, activeAt: now })
      return held
    },
    addReads(reads) {
      look()
      if (!held) return []
      const known = new Map<string, TimedRead>()
      const inForce = new Map<string, string>()
      const add = (read: TimedRead) => {
        const name = sameness(read)
        // Read again without a change: in force since its first read.
        if (inForce.get(read.flag) === name) return false
        inForce.set(read.flag, name)
        const isNew = !known.delete(name)
        // A repeated variation becomes the last one of its flag.
        known.set(name, read)
        return isNew
      }
      held.reads.forEach(add)
      const added = reads.filter(add)
      hold({ ...held, reads: [...known.values()].slice(-readsKept) })
      return added
    },
    end() {
      held = undefined
      removeStored(name)
    },
  }
}

const format = 1

function parse(text: string | null): Session | undefined {
  try {
    const [written, session] = JSON.parse(text ?? '[]')
    return written === format && session ? session : undefined
  } catch {
    // Written by other code.
    return undefined
  }
}

/** A new subject has another unit, which was not reported yet. */
function sameness({ flag, variation, epoch, unit }: FlagRead): string {
  return JSON.stringify([flag, variation, epoch, unit])
}
