import type { PaletteEntry } from './entry.ts'

const shownAtMost = 50

/**
 * Ranks exact key, prefix, prefix of a word, substring, each before the same in the secondary text; then letters in
 * order, only where nothing matches better. Within a rank: recently used ones first, then in the given order. Of
 * two entries with one id the first counts.
 */
export function rankEntries(
  entries: readonly PaletteEntry[],
  text: string,
  recent: readonly string[],
): PaletteEntry[] {
  const wanted = text.trim().toLowerCase()
  const ids = new Set<string>()
  const found = entries.flatMap((entry, index) => {
    if (ids.has(entry.id)) return []
    ids.add(entry.id)
    const match = matchOf(entry, wanted)
    return match === undefined ? [] : [{ entry, index, match, recent: recencyOf(entry, recent) }]
  })
  const best = Math.min(...found.map(({ match }) => match))
  return found
    .filter(({ match }) => match < lettersInOrder || best === lettersInOrder)
    .sort((a, b) => a.match - b.match || a.recent - b.recent || a.index - b.index)
    .slice(0, shownAtMost)
    .map(({ entry }) => entry)
}

function recencyOf({ id }: PaletteEntry, recent: readonly string[]): number {
  const at = recent.indexOf(id)
  return at < 0 ? recent.length : at
}

const lettersInOrder = 7

function matchOf(entry: PaletteEntry, wanted: string): number | undefined {
  const label = entry.label.toLowerCase()
  const note = entry.note?.toLowerCase() ?? ''
  if (wanted === '' || label === wanted) return 0
  if (label.startsWith(wanted)) return 1
  const startOfWord = new RegExp(`[\\s._/-]${escaped(wanted)}`)
  if (startOfWord.test(label)) return 2
  if (startOfWord.test(` ${note}`)) return 3
  if (label.includes(wanted)) return 4
  if (note.includes(wanted)) return 5
  if (hasEveryWord(`${label} ${note}`, wanted)) return 6
  return hasInOrder(label, wanted) ? lettersInOrder : undefined
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** `alert new` finds "New alert". */
function hasEveryWord(text: string, wanted: string): boolean {
  const words = wanted.split(/\s+/)
  return words.length > 1 && words.every((word) => text.includes(word))
}

function hasInOrder(text: string, letters: string): boolean {
  let from = 0
  for (const letter of letters) {
    const at = text.indexOf(letter, from)
    if (at < 0) return false
    from = at + 1
  }
  return true
}
