// The string table of a Datadog recording. A string is referenced by its index or, by older clients, sent inline.
// Limits apply to the characters read, because a short recording may reference a long string a million times.

import { RecordingTooLarge } from '../replay/read-bytes.ts'

export interface StringTable {
  add(text: unknown): void
  clear(): void
  /** Undefined for an unknown index. */
  read(place: unknown): string | undefined
  /** Resets the number of characters that may be read. Beyond it, `RecordingTooLarge` is thrown. */
  allow(characters: number): void
  /** Counts characters that are written again like characters read. */
  spend(characters: number): void
  /** Number of stored characters. */
  readonly size: number
}

interface StringBounds {
  /** The client itself starts a new table at a million strings. */
  strings: number
  characters: number
}

export function createStringTable(bounds: StringBounds): StringTable {
  let strings: string[] = []
  let size = 0
  let left = 0
  const find = (place: unknown): string | undefined => {
    if (typeof place === 'number') return strings[place]
    if (typeof place === 'string') return place
    if (typeof place !== 'object' || place === null || !('string' in place)) return undefined
    return typeof place.string === 'string' ? place.string : undefined
  }
  const spend = (characters: number) => {
    left -= characters
    if (left < 0) throw new RecordingTooLarge()
  }
  return {
    add(text) {
      const known = typeof text === 'string' ? text : ''
      size += known.length
      if (strings.length >= bounds.strings || size > bounds.characters) throw new RecordingTooLarge()
      strings.push(known)
    },
    clear() {
      strings = []
      size = 0
    },
    read(place) {
      const text = find(place)
      spend(text?.length ?? 0)
      return text
    },
    spend,
    allow(characters) {
      left = characters
    },
    get size() {
      return size
    },
  }
}
