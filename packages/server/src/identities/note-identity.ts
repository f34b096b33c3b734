// Who was seen, with which traits: noted by requests in memory, written behind them. The last context counts. Notes are
// bounded, and one that does not fit is left to the next time that the identity is seen.

import { createHash } from 'node:crypto'
import type { Context } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import { isStorable } from '../http/strict-json.ts'
import { startRepeating, waitAtMost } from '../repeat.ts'
import type { Services } from '../services.ts'
import { type Traits, traitsOf } from './traits.ts'
import { findPrivateTraits, type SeenIdentity, writeIdentities } from './write-identities.ts'

export interface IdentityNotes {
  /** The context that somebody was evaluated with. Contexts without a targeting key are nobody's. */
  note(environmentId: string, context: Context): void
  /** Writes what was noted until now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Note {
  environmentId: string
  targetingKey: string
  traits: Traits
  size: number
  at: number
}

const rowsPerStatement = 2_000
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
  let size = 0
  let left = 0

  const keep = (name: string, note: Note) => {
    const before = notes.get(name)
    size += note.size - (before?.size ?? 0)
    if ((before === undefined && notes.size >= limits.identityNotes) || size > limits.identityNotesSize) {
      size -= note.size - (before?.size ?? 0)
      left += 1
      return
    }
    notes.set(name, note)
  }
  const forget = (name: string) => {
    size -= notes.get(name)?.size ?? 0
    notes.delete(name)
    remembered.delete(name)
  }
  const takeAll = () => {
    const taken = notes
    if (left > 0) log.warn({ identities: left }, 'identities were left for the next time: too many at once')
    notes = new Map()
    size = 0
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
    const due: { name: string; digest: string; seen: SeenIdentity }[] = []
    for (const [name, { environmentId, targetingKey, traits, at }] of taken) {
      const text = JSON.stringify(without(traits, hidden.get(environmentId)))
      const digest = createHash('sha256').update(text).digest('base64url')
      if (remembered.has(name, digest, at)) taken.delete(name)
      else due.push({ name, digest, seen: { environmentId, targetingKey, traits: text, at } })
    }
    for (let first = 0; first < due.length; first += rowsPerStatement) {
      const some = due.slice(first, first + rowsPerStatement)
      await writeIdentities(
        db,
        some.map(({ seen }) => seen),
      )
      for (const { name, digest, seen } of some) {
        remembered.add(name, digest, seen.at)
        taken.delete(name)
      }
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
    note(environmentId, context) {
      const targetingKey = keyIn(context)
      if (targetingKey === undefined) return
      const note = { environmentId, targetingKey, ...traitsOf(context), at: clock().getTime() }
      note.size += targetingKey.length
      keep(nameOf(environmentId, targetingKey), note)
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
