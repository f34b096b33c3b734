import type { PaletteEntry } from './entry.ts'

const shownAtMost = 50

/**
 * Ranks exact key, prefix, prefix of a word, substring, letters in order. Within a rank: recently used ones
 * first, then in the given order.
 */
export function rankEntries(
  entries: readonly PaletteEntry[],
  text: string,
  recent: readonly string[],
): PaletteEntry[] {
  const wanted = text.trim().toLowerCase()
  return entries
    .map((entry, index) => ({ entry, index, rank: rankOf(entry, wanted, recent) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.index - b.index)
    .slice(0, shownAtMost)
    .map(({ entry }) => entry)
}

function rankOf(entry: PaletteEntry, wanted: string, recent: readonly string[]): number | undefined {
  const label = entry.label.toLowerCase()
  const note = entry.note?.toLowerCase() ?? ''
  const isRecent = recent.includes(entry.id)
  if (wanted === '') return isRecent ? recent.indexOf(entry.id) - recent.length : 0
  const match = matchOf(label, note, wanted)
  return match === undefined || !isRecent ? match : match - recentFirst
}

/** Less than the difference between two ranks. */
const recentFirst = 0.5

function matchOf(label: string, note: string, wanted: string): number | undefined {
  if (label === wanted) return 0
  if (label.startsWith(wanted)) return 1
  if (new RegExp(`[\\s._-]${escaped(wanted)}`).test(` ${label} ${note}`)) return 2
  if (label.includes(wanted) || note.includes(wanted)) return 3
  return hasInOrder(label, wanted) ? 4 : undefined
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
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
