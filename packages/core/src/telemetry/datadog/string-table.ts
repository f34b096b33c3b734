// The strings of a recording in Datadog's form. A place of a string holds the number of one that came before or, from older
// clients, the string itself. What is read counts: a short recording may name a long string a million times.

export class RecordingTooLarge extends Error {}

export interface StringTable {
  add(text: unknown): void
  clear(): void
  /** Nothing for a number that no string has. */
  read(place: unknown): string | undefined
  /** Characters that may be read from now on. Then `RecordingTooLarge` is thrown. */
  allow(characters: number): void
  /** What is written once more counts like what is read. */
  spend(characters: number): void
  /** Characters that are kept. */
  readonly size: number
}

export interface StringBounds {
  /** The client itself begins anew at a million. */
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
