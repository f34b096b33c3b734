// Text as it may be stored: of a bounded length, and without halves of characters, which the engine refuses.

const lineBreaks = /[\r\n\t]+/g

export function cutText(text: string, longest: number): string {
  const cut = text.length > longest ? text.slice(0, longest) : text
  return cut.toWellFormed()
}

/** For what stands in one line of a list. */
export function cutLine(text: string, longest: number): string {
  return cutText(text.replace(lineBreaks, ' ').trim(), longest)
}
