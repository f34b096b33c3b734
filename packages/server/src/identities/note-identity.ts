// Who was seen, with which traits: noted by requests in memory, written behind them. The last context counts. Notes are
// bounded, and one that does not fit is left to the next time that the identity is seen.

import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import { isStorable } from '../http/strict-json.ts'
import { finish, startRepeating } from '../repeat.ts'
import type { Services } from '../services.ts'
import { forgetPrivateTraits } from './forget-traits.ts'
import { type Traits, traitsOf } from './traits.ts'
import { createWaitingNotes, type Note } from './waiting-notes.ts'
import { findPrivateTraits, writeIdentities } from './write-identities.ts'

export interface IdentityNotes {
  /**
   * The context that somebody was evaluated with, and how many bytes it came in. Contexts without a targeting key are
   * nobody's. The context may be held for a while: nobody changes it any more.
   */
  note(environmentId: string, context: Context, size: number): void
  /** Removes what has become private from what is stored, behind the request. */
  forgetPrivateTraits(environmentId?: string): void
  /** Writes what was noted until now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Small enough that no request waits while they are put into one statement. */
const rowsPerStatement = 250

export function createIdentityNotes({
  db,
  announcements,
  clock,
  log,
}: Pick<Services, 'db' | 'announcements' | 'clock' | 'log'>): IdentityNotes {
  const remembered = createMemory()
  const waiting = createWaitingNotes()
  const write = async () => {
    const { notes, leftOut } = waiting.take()
    if (leftOut > 0)
      log.warn({ identities: leftOut }, 'identities were left for the next time: too many at once')
    if (notes.size === 0) return
    try {
      await writeNotes(notes)
    } catch (error) {
      waiting.giveBack(notes)
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
      if (action !== 'identity.delete') return
      waiting.delete(`${environment} ${part}`)
      remembered.delete(`${environment} ${part}`)
    },
  })
  const stopping = new AbortController()
  let forgetting = Promise.resolve()
  const forgetPrivate = (environmentId?: string) => {
    forgetting = forgetting
      .then(() => forgetPrivateTraits(db, { environmentId, signal: stopping.signal }))
      .catch((error: unknown) => log.error({ err: error }, 'private traits were not removed'))
  }
  const stopRepeating = startRepeating(
    log,
    { what: 'writing identities', every: limits.identityNoteInterval },
    flush,
  )

  return {
    note(environmentId, context, size) {
      const targetingKey = keyIn(context)
      if (targetingKey === undefined) return
      const name = nameOf(environmentId, targetingKey)
      const at = clock().getTime()
      // Most are seen again and again as they are: what is held already need not be held anew.
      if (waiting.repeats(name, context, at)) return
      const isSmall = size <= limits.identityContextSize
      const held = isSmall ? { context, size } : cutDown(context)
      waiting.add(name, { environmentId, targetingKey, ...held, at })
    },
    forgetPrivateTraits: forgetPrivate,
    flush,
    async stop() {
      unsubscribe()
      stopping.abort()
      await finish(log, 'writing the last identities', Promise.all([stopRepeating().then(flush), forgetting]))
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
