// Who was seen, with which traits: noted by requests in memory, written behind them. The last context counts. Notes are
// bounded, and one that does not fit is left to the next time that the identity is seen.

import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import { isStorable } from '../http/strict-json.ts'
import { startRepeating, waitAtMost } from '../repeat.ts'
import type { Services } from '../services.ts'
import { type Traits, traitsOf } from './traits.ts'
import { findPrivateTraits, writeIdentities } from './write-identities.ts'

export interface IdentityNotes {
  /**
   * The context that somebody was evaluated with, and how many bytes it came in. Contexts without a targeting key are
   * nobody's. The context may be held for a while: nobody changes it any more.
   */
  note(environmentId: string, context: Context, size: number): void
  /** Writes what was noted until now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Note {
  environmentId: string
  targetingKey: string
  context: Context
  size: number
  at: number
}

/** Small enough that no request waits while they are put into one statement. */
const rowsPerStatement = 250
/** Of the time that a process has to stop. */
const lastFlushTimeout = 1_500

export function createIdentityNotes({
  db,
  announcements,
  clock,
  log,
}: Pick<Services, 'db' | 'announcements' | 'clock' | 'log'>): IdentityNotes {
  const remembered = createMemory()
  let notes = new Map<string, Note>()
  let totalSize = 0
  let left = 0

  const keep = (name: string, note: Note) => {
    const before = notes.get(name)
    const size = totalSize + note.size - (before?.size ?? 0)
    if ((before === undefined && notes.size >= limits.identityNotes) || size > limits.identityNotesSize) {
      left += 1
      return
    }
    totalSize = size
    notes.set(name, note)
  }
  const forget = (name: string) => {
    totalSize -= notes.get(name)?.size ?? 0
    notes.delete(name)
    remembered.delete(name)
  }
  const takeAll = () => {
    const taken = notes
    if (left > 0) log.warn({ identities: left }, 'identities were left for the next time: too many at once')
    notes = new Map()
    totalSize = 0
    left = 0
    return taken
  }
  const write = async () => {
    const taken = takeAll()
    if (taken.size === 0) return
    try {
      await writeNotes(taken)
    } catch (error) {
      // Newer notes stay in place of these.
      for (const [name, note] of taken) if (!notes.has(name)) keep(name, note)
      throw error
    }
  }
  const writeNotes = async (taken: Map<string, Note>) => {
    const hidden = await findPrivateTraits(db, new Set([...taken.values()].map((note) => note.environmentId)))
    const all = [...taken]
    for (let first = 0; first < all.length; first += rowsPerStatement) {
      const some = all.slice(first, first + rowsPerStatement).map(([name, note]) => {
        const { environmentId, targetingKey, context, at } = note
        const traits = JSON.stringify(without(traitsOf(context).traits, hidden.get(environmentId)))
        const digest = hash('sha256', traits, 'base64url')
        return { name, digest, seen: { environmentId, targetingKey, traits, at } }
      })
      const due = some.filter(({ name, digest, seen }) => !remembered.has(name, digest, seen.at))
      if (due.length > 0) {
        await writeIdentities(
          db,
          due.map(({ seen }) => seen),
        )
      } else await setImmediate()
      for (const { name, digest, seen } of due) remembered.add(name, digest, seen.at)
      for (const { name } of some) taken.delete(name)
    }
  }

  let last = Promise.resolve()
  const flush = () => {
    last = last.catch(() => undefined).then(write)
    return last
  }
  // On whichever server it was deleted: what was seen before is not written after.
  const unsubscribe = announcements.subscribe({
    onChange: ({ action, environment, part }) => {
      if (action === 'identity.delete') forget(`${environment} ${part}`)
    },
  })
  const stopRepeating = startRepeating(
    log,
    { what: 'writing identities', every: limits.identityNoteInterval },
    flush,
  )

  return {
    note(environmentId, context, size) {
      const targetingKey = keyIn(context)
      if (targetingKey === undefined) return
      const isSmall = size <= limits.identityContextSize
      const held = isSmall ? { context, size } : cutDown(context)
      keep(nameOf(environmentId, targetingKey), {
        environmentId,
        targetingKey,
        ...held,
        at: clock().getTime(),
      })
    },
    flush,
    async stop() {
      unsubscribe()
      await waitAtMost(lastFlushTimeout, stopRepeating().then(flush)).catch((error: unknown) => {
        log.error({ err: error }, 'the last identities were not written')
      })
    },
  }
}

function nameOf(environmentId: string, targetingKey: string): string {
  return `${environmentId} ${targetingKey}`
}

/** Numbers too, as delivery takes them. */
function keyIn({ targetingKey }: Context): string | undefined {
  const key = typeof targetingKey === 'number' ? String(targetingKey) : targetingKey
  if (typeof key !== 'string' || key === '' || key.length > limits.targetingKeyLength) return undefined
  return isStorable(key) ? key : undefined
}

/** What is kept of a context that is too large to hold. */
function cutDown(whole: Context): Pick<Note, 'context' | 'size'> {
  const { traits: context, size } = traitsOf(whole)
  return { context, size }
}

function without(traits: Traits, hidden: ReadonlySet<string> = new Set()): Traits {
  return hidden.size === 0
    ? traits
    : Object.fromEntries(Object.entries(traits).filter(([name]) => !hidden.has(name)))
}

/** What was written not long ago, the oldest first. */
function createMemory() {
  const written = new Map<string, { digest: string; at: number }>()
  return {
    has(name: string, digest: string, now: number): boolean {
      const known = written.get(name)
      return known?.digest === digest && Math.abs(now - known.at) < limits.identitySeenPrecision
    },
    add(name: string, digest: string, at: number): void {
      written.delete(name)
      written.set(name, { digest, at })
      const [oldest] = written.keys()
      if (written.size > limits.identitiesRemembered && oldest !== undefined) written.delete(oldest)
    },
    delete: (name: string) => written.delete(name),
  }
}
