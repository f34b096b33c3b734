// The word that a mistyped one was meant to be.

/** Undefined if none is within a third of its length. */
export function closest(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: editDistance(typed, word) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((one, other) => one.distance - other.distance)
  return near[0]?.word
}

/** Characters to insert, remove or replace (Levenshtein). */
function editDistance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, character] of [...one].entries()) {
    const line = [row + 1]
    for (const [column, its] of [...other].entries()) {
      const replaced = (above[column] ?? 0) + (character === its ? 0 : 1)
      line.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1))
    }
    above = line
  }
  return above.at(-1) ?? 0
}
