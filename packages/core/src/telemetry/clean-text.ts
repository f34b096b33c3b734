// Text as it may be stored: of a bounded length, and without halves of characters, which the engine refuses.

const lineBreaks = /[\r\n\t]+/g

export function cutText(text: string, longest: number): string {
  return (text.length > longest ? startOf(text, longest) : text).toWellFormed()
}

/** A copy: V8 keeps the whole of a text in memory for as long as a slice of it is held. */
function startOf(text: string, length: number): string {
  return ` ${text.slice(0, length)}`.slice(1)
}

/** For what stands in one line of a list. */
export function cutLine(text: string, longest: number): string {
  return cutText(text.replace(lineBreaks, ' ').trim(), longest)
}
