// Notes that wait to be written: one for each identity, the last. Bounded in number and in size; what does not fit is
// counted and left out.

import type { Context } from '@telltale/core/evaluation/context'
import { limits } from '@telltale/core/limits'

export interface Note {
  environmentId: string
  targetingKey: string
  context: Context
  /** In bytes, about. */
  size: number
  /** Milliseconds since 1970. */
  at: number
}

export interface WaitingNotes {
  has(name: string): boolean
  /** In place of an older one of this name. */
  add(name: string, note: Note): void
  /** Says that the one that waits was seen again, at `at`, if its context says the same. */
  repeats(name: string, context: Context, at: number): boolean
  /** Back again: a newer one stays. */
  giveBack(notes: ReadonlyMap<string, Note>): void
  delete(name: string): void
  /** All of them, and how many were left out since the last time. */
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

/** Of equal plain values under the same names. Structures count as different: they are written once more, at worst. */
function isSame(one: Context, other: Context): boolean {
  let names = 0
  for (const name in one) {
    if (one[name] !== other[name]) return false
    names += 1
  }
  for (const _name in other) names -= 1
  return names === 0
}
