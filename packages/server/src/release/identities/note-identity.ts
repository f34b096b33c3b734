// Identities seen, with their traits: recorded in memory by requests and written later. The last context wins.
// The number of records is limited; a record that does not fit waits until the identity is seen again.

import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'
import { isStorable } from '../../platform/http/strict-json.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import { forgetPrivateTraits } from './forget-traits.ts'
import { createIdentityRoom, type IdentityRoom } from './identity-room.ts'
import { type Traits, traitsOf } from './traits.ts'
import { createWaitingNotes, type Note } from './waiting-notes.ts'
import { findPrivateTraits, writeIdentities } from './write-identities.ts'

interface SeenFrom {
  /** In bytes. */
  size: number
  /** For a client key's request; undefined for a server key. */
  address: () => string | undefined
}

export interface IdentityNotes {
  /**
   * Records the context of an evaluation and its source. Contexts without a targeting key are ignored. The
   * context may be kept for a while and must not be modified.
   */
  note(environmentId: string, context: Context, from: SeenFrom): void
  /** How many more may be stored. */
  room: IdentityRoom
  /** Removes traits that have become private from the store, in the background. */
  forgetPrivateTraits(environmentId?: string): void
  /** Writes all records so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Small enough that building the statement does not delay requests. */
const rowsPerStatement = 250

export function createIdentityNotes({
  db,
  announcements,
  clock,
  elapsed,
  config,
  log,
}: Pick<Services, 'db' | 'announcements' | 'clock' | 'elapsed' | 'config' | 'log'>): IdentityNotes {
  const room = createIdentityRoom({ db, elapsed, most: config.identities })
  const remembered = createMemory()
  const waiting = createWaitingNotes()
  const write = async () => {
    const { notes, leftOut } = waiting.take()
    if (leftOut > 0) log.warn({ identities: leftOut }, 'identities were skipped: too many at once')
    if (notes.size === 0) return
    try {
      await writeNotes(notes)
    } catch (error) {
      waiting.giveBack(notes)
      throw error
    }
  }
  const writeNotes = async (taken: Map<string, Note>) => {
    const full = await room.findFull(countNew([...taken], remembered.isKnown))
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
        const seen = due.map((each) => each.seen)
        room.countFull(await writeIdentities(db, seen, full))
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
  // A deletion on any server discards records from before it.
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
    room,
    note(environmentId, context, { size, address }) {
      const targetingKey = keyIn(context)
      if (targetingKey === undefined) return
      const name = nameOf(environmentId, targetingKey)
      const at = clock().getTime()
      // Most identities are seen repeatedly without changes and are recorded already.
      if (waiting.repeats(name, context, at)) return
      const isNew = !remembered.isKnown(name) && !waiting.has(name)
      if (isNew && !room.admits({ environmentId, address: address() })) return
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

/** The number of possibly new identities in each environment. */
function countNew(
  taken: readonly (readonly [name: string, note: Note])[],
  isKnown: (name: string) => boolean,
): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [name, { environmentId }] of taken) {
    counts.set(environmentId, (counts.get(environmentId) ?? 0) + (isKnown(name) ? 0 : 1))
  }
  return counts
}

function nameOf(environmentId: string, targetingKey: string): string {
  return `${environmentId} ${targetingKey}`
}

/** Numbers as well, as in delivery. */
function keyIn({ targetingKey }: Context): string | undefined {
  const key = typeof targetingKey === 'number' ? String(targetingKey) : targetingKey
  if (typeof key !== 'string' || key === '' || key.length > limits.targetingKeyLength) return undefined
  return isStorable(key) ? key : undefined
}

/** The stored part of a context that is too large to keep in memory. */
function cutDown(whole: Context): Pick<Note, 'context' | 'size'> {
  const { traits: context, size } = traitsOf(whole)
  return { context, size }
}

function without(traits: Traits, hidden: ReadonlySet<string> = new Set()): Traits {
  return hidden.size === 0
    ? traits
    : Object.fromEntries(Object.entries(traits).filter(([name]) => !hidden.has(name)))
}

/** Recently written identities, oldest first. */
function createMemory() {
  const written = new Map<string, { digest: string; at: number }>()
  return {
    has(name: string, digest: string, now: number): boolean {
      const known = written.get(name)
      return known?.digest === digest && Math.abs(now - known.at) < limits.identitySeenPrecision
    },
    isKnown: (name: string) => written.has(name),
    add(name: string, digest: string, at: number): void {
      written.delete(name)
      written.set(name, { digest, at })
      const [oldest] = written.keys()
      if (written.size > limits.identitiesRemembered && oldest !== undefined) written.delete(oldest)
    },
    delete: (name: string) => written.delete(name),
  }
}
