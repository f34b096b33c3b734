// What the page got hold of and may have changed when the next records are written: no event says it.

import type { PageRecords } from './page-records.ts'
import type { Stream } from './stream.ts'

export interface Suspect {
  /** Undefined: it has changed. */
  before: string | undefined
  read(): string
  write(stream: Stream): void
}

/** Those that are watched at a time. */
const atMost = 1_000
/** So often they are checked later, because other changes come before. */
const delaysAtMost = 20

/** `isEarly`: changes are queued that have to be written before. */
export function createSuspects(records: PageRecords, isEarly: () => boolean) {
  const suspects = new Map<object, Suspect>()
  return (thing: object, suspect: Suspect): void => {
    const known = suspects.get(thing)
    if (known) {
      if (suspect.before === undefined) known.before = undefined
      return
    }
    if (suspects.size >= atMost) return
    suspects.set(thing, suspect)
    let delays = 0
    // Each is queued: changes of the tree before it are written first.
    const check = (stream: Stream) => {
      if (isEarly() && delays++ < delaysAtMost) return records.queue(check)
      suspects.delete(thing)
      const { before, read, write } = suspect
      if (read() !== before) write(stream)
    }
    records.queue(check)
  }
}
