import { problem } from '@telltale/core/errors'

export interface Mark {
  /** What the list is sorted by. */
  sorted: number
  /** What tells apart those that are equal in it. */
  texts: readonly string[]
}

/** The last row of a page, from a cursor: it was in the hands of the client. */
export function readMark(text: string, count: number): Mark {
  const [sorted, ...texts] = parse(text)
  const isText = (value: unknown): value is string => typeof value === 'string'
  if (typeof sorted === 'number' && texts.length === count && texts.every(isText)) return { sorted, texts }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}

function parse(text: string): unknown[] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read : []
  } catch {
    // Refused below, as anything that is no mark.
    return []
  }
}
