// Records waiting to be written: the last one of each identity. Limited in number and size; records that do not
// fit are counted and dropped.

import type { Context } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'

export interface Note {
  environmentId: string
  targetingKey: string
  context: Context
  /** Approximate size in bytes. */
  size: number
  /** Milliseconds since 1970. */
  at: number
}

interface WaitingNotes {
  has(name: string): boolean
  /** Replaces an older record of this name. */
  add(name: string, note: Note): void
  /** Updates the time of a waiting record if its context is the same; returns whether it is. */
  repeats(name: string, context: Context, at: number): boolean
  /** Returns records after a failure; newer ones win. */
  giveBack(notes: ReadonlyMap<string, Note>): void
  delete(name: string): void
  /** All records, and the number dropped since the last call. */
  take(): { notes: Map<string, Note>; leftOut: number }
}

export function createWaitingNotes(): WaitingNotes {
  let notes = new Map<string, Note>()
  let size = 0
  let leftOut = 0

  const add = (name: string, note: Note) => {
    const before = notes.get(name)
    const grown = size + note.size - (before?.size ?? 0)
    const isFull = before === undefined && notes.size >= limits.identityNotes
    if (isFull || grown > limits.identityNotesSize) {
      leftOut += 1
      return
    }
    size = grown
    notes.set(name, note)
  }

  return {
    has: (name) => notes.has(name),
    add,
    repeats(name, context, at) {
      const note = notes.get(name)
      if (note === undefined || !isSame(note.context, context)) return false
      note.at = at
      return true
    },
    giveBack(taken) {
      for (const [name, note] of taken) if (!notes.has(name)) add(name, note)
    },
    delete(name) {
      size -= notes.get(name)?.size ?? 0
      notes.delete(name)
    },
    take() {
      const taken = { notes, leftOut }
      notes = new Map()
      size = 0
      leftOut = 0
      return taken
    },
  }
}

/**
 * Whether all values are equal primitives under the same names. Structures count as different: at worst they
 * are written once more.
 */
function isSame(one: Context, other: Context): boolean {
  let names = 0
  for (const name in one) {
    if (one[name] !== other[name]) return false
    names += 1
  }
  for (const _name in other) names -= 1
  return names === 0
}
