import { problem } from '@telltale/core/errors'

export interface Mark {
  /** The sort value. */
  sorted: number
  /** Tie-breakers. */
  texts: readonly string[]
}

/** Reads the last row of a page from a cursor, which is untrusted input. */
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
    // Rejected by the caller like any other invalid cursor.
    return []
  }
}
