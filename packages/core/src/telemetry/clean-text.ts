// Makes text safe to store: bounded in length and without lone surrogates, which the database rejects.

const lineBreaks = /[\r\n\t]+/g

export function cutText(text: string, longest: number): string {
  return (text.length > longest ? startOf(text, longest) : text).toWellFormed()
}

/** Copies the text: V8 keeps the whole original in memory as long as a slice of it is referenced. */
function startOf(text: string, length: number): string {
  return ` ${text.slice(0, length)}`.slice(1)
}

/** For text shown in one line of a list. */
export function cutLine(text: string, longest: number): string {
  if (text === '') return ''
  return cutText(text.replace(lineBreaks, ' ').trim(), longest)
}
