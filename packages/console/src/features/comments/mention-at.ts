export interface MentionAt {
  /** Where the `@` is. */
  start: number
  /** What was typed after it. */
  typed: string
}

/** The mention that is being typed before the caret: `@` at the start of a word, and at most a name after it. */
export function mentionAt(text: string, caret: number): MentionAt | undefined {
  const start = text.lastIndexOf('@', caret - 1)
  if (start < 0 || /[\p{L}\p{N}_.@]/u.test(text[start - 1] ?? ' ')) return undefined
  const typed = text.slice(start + 1, caret)
  return typed.length > longestName || typed.includes('\n') ? undefined : { start, typed }
}

const longestName = 60

/** The text with the mention completed, and the caret after it. */
export function completeMention(text: string, { start, typed }: MentionAt, name: string) {
  const before = `${text.slice(0, start)}@${name} `
  return { text: before + text.slice(start + 1 + typed.length), caret: before.length }
}
