// The position after a page. Later pages use the period of the first one and its estimate of users.

import { problem } from '@telltale/core/errors'
import { isStorable } from '../../platform/http/strict-json.ts'

export interface Place {
  /** The end of the period, in milliseconds since 1970. */
  to: number
  /** The last key of the previous page; empty before the first one. */
  after: string
  /** The estimated number of users on all pages. */
  total: number
}

export function writeCursor({ to, after, total }: Place): string {
  return Buffer.from(JSON.stringify([to, total, after])).toString('base64url')
}

/** Throws `invalid-request` for a cursor that `writeCursor` did not produce. */
export function readCursor(text: string): Place {
  const read = parse(text)
  if (Array.isArray(read)) {
    const [to, total, after]: unknown[] = read
    if (isCount(to) && isCount(total) && typeof after === 'string' && isStorable(after))
      return { to, total, after }
  }
  throw problem('invalid-request', {
    errors: [{ pointer: '/cursor', message: 'must be the `next` of an earlier part' }],
  })
}

const latest = 4_102_444_800_000
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= latest

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    // Not JSON: an invalid cursor.
    return undefined
  }
}
