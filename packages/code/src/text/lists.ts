// Removes items of lists that are separated by commas.

import type { Edits, Span } from './edits.ts'
import { lineStart } from './lines.ts'

/** An item goes with the comma behind it; the last ones go with the comma before them. */
export function removeItems(
  { text, edits }: { text: string; edits: Edits },
  items: readonly Span[],
  isGone: (index: number) => boolean,
): void {
  const lastLeft = items.findLastIndex((_, index) => !isGone(index))
  items.forEach((item, index) => {
    const next = items[index + 1]
    if (isGone(index) && index < lastLeft && next !== undefined) {
      edits.remove(item, withComma(text, item))
    }
  })
  const [left, last] = [items[lastLeft], items.at(-1)]
  if (last === undefined || lastLeft === items.length - 1) return
  if (left !== undefined) edits.replace({ start: left.end, end: last.end }, [])
  else edits.replace({ start: items[0]?.start ?? last.start, end: endWithComma(text, last.end) }, [])
}

/** With its line, if it is alone there. */
function withComma(text: string, { start, end }: Span): Span {
  const after = endWithComma(text, end)
  const first = lineStart(text, start)
  const blanks = text.slice(after).match(/^[ \t]*/)?.[0].length ?? 0
  const isAlone = text.slice(first, start).trim() === '' && text[after + blanks] === '\n'
  return isAlone ? { start: first, end: after + blanks + 1 } : { start, end: after + blanks }
}

function endWithComma(text: string, end: number): number {
  const comma = text.slice(end).match(/^\s*,/)
  return comma ? end + comma[0].length : end
}
