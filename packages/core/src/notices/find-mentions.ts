export interface Mentionable {
  id: string
  name: string
  email: string
}

/**
 * The people that a text mentions: `@` followed by their name or their e-mail address, in any case, at the start
 * or after something that is no part of a word. Of several names that fit, the longest counts; people with the
 * same name are all meant.
 */
export function findMentions(text: string, people: readonly Mentionable[]): string[] {
  const lower = text.toLowerCase()
  const named = people.flatMap(({ id, name, email }) => [
    { id, word: name.toLowerCase() },
    { id, word: email.toLowerCase() },
  ])
  const found = new Set<string>()
  for (const { index } of lower.matchAll(/(?<![\p{L}\p{N}_.@])@/gu)) {
    const fitting = named.filter(({ word }) => word !== '' && fits(lower, index + 1, word))
    const longest = Math.max(...fitting.map(({ word }) => word.length))
    for (const { id, word } of fitting) if (word.length === longest) found.add(id)
  }
  return [...found]
}

function fits(text: string, at: number, word: string): boolean {
  return text.startsWith(word, at) && !/^[\p{L}\p{N}_]/u.test(text.slice(at + word.length))
}
