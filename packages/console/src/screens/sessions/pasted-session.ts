import type { Filter } from '@telltale/core/query/filter'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The id of a session that was typed or pasted among the filters; it is opened instead of looked for in texts. */
export function pastedSession(before: Filter, after: Filter): string | undefined {
  if (after.words.length <= before.words.length) return undefined
  const word = after.words.at(-1) ?? ''
  return uuid.test(word) ? word.toLowerCase() : undefined
}
