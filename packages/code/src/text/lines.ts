// Where lines begin and end, and which of them go when a part of a text is removed.

import type { Span } from './edits.ts'

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** The position of the line break, or the end of the text. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at)
  return found < 0 ? text.length : found
}

/** The blanks at the start of the line. */
export function indentAt(text: string, at: number): string {
  return text.slice(lineStart(text, at)).match(/^[ \t]*/)?.[0] ?? ''
}

export function positionAt(text: string, at: number): { line: number; column: number } {
  return { line: text.slice(0, at).split('\n').length, column: at - lineStart(text, at) + 1 }
}

/** Without blanks at both ends. */
export function trimSpan(text: string, { start, end }: Span): Span {
  let [from, to] = [start, end]
  while (from < to && /\s/.test(text[from] ?? '')) from++
  while (to > from && /\s/.test(text[to - 1] ?? '')) to--
  return { start: from, end: to }
}

/**
 * The whole lines of a part that is alone on them, with the comments directly above and behind it, and with one of two
 * empty lines that would meet. A part that shares its lines goes alone, with the blanks before it.
 */
export function linesOf(text: string, span: Span, comments: readonly Span[]): Span {
  const first = lineStart(text, span.start)
  const end = lineEnd(text, endWithComment(text, span.end, comments))
  const isAlone =
    text.slice(first, span.start).trim() === '' &&
    text.slice(endWithComment(text, span.end, comments), end).trim() === ''
  if (!isAlone) {
    let start = span.start
    while (start > first && /[ \t]/.test(text[start - 1] ?? '')) start--
    return start === first ? span : { start, end: span.end }
  }
  let start = withCommentsAbove(text, first, comments)
  const after = Math.min(text.length, end + 1)
  const before = start === 0 ? '' : text.slice(lineStart(text, start - 1), start - 1)
  const next = text.slice(after, lineEnd(text, after))
  const isGap = start > 0 && before.trim() === '' && (next.trim() === '' || /^[ \t]*[})\]]/.test(next))
  if (isGap) start = lineStart(text, start - 1)
  // An empty line does not start a file or a block.
  const isFirst = start === 0 || (!isGap && /[{([][ \t]*$/.test(before))
  const skipped = isFirst && next.trim() === '' && after < text.length
  return { start, end: skipped ? lineEnd(text, after) + 1 : after }
}

function endWithComment(text: string, end: number, comments: readonly Span[]): number {
  const behind = comments.find(
    (comment) => comment.start >= end && text.slice(end, comment.start).match(/^[ \t;,]*$/),
  )
  return behind !== undefined && !text.slice(behind.start, behind.end).includes('\n') ? behind.end : end
}

function withCommentsAbove(text: string, start: number, comments: readonly Span[]): number {
  let top = start
  for (;;) {
    const above = comments.find((comment) => {
      const isAbove = comment.end < top && text.slice(comment.end, top).match(/^[ \t]*\n[ \t]*$/)
      return isAbove && text.slice(lineStart(text, comment.start), comment.start).trim() === ''
    })
    // A comment at the very top of a file is about the file.
    if (above === undefined || lineStart(text, above.start) === 0) return top
    top = lineStart(text, above.start)
  }
}
