// Cursor pagination: the cursor is the sort key of a page's last item, and the next page starts after it.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { isStorable } from './strict-json.ts'

export interface PageQuery {
  limit?: number
  cursor?: string
}

export interface Page<Item> {
  items: Item[]
  next: string | null
}

/**
 * Reads one page. `find` gets the sort key to start after (as text, undefined for the first page) and the number of
 * rows to read; `keyOf` returns the sort key of a row.
 */
export async function readPage<Row, Item>(
  query: PageQuery,
  source: {
    find(after: string | undefined, count: number): Promise<Row[]>
    keyOf(row: Row): string
    toItem(row: Row): Item
  },
): Promise<Page<Item>> {
  const size = query.limit ?? limits.pageSize
  const rows = await source.find(query.cursor === undefined ? undefined : decode(query.cursor), size + 1)
  const kept = rows.slice(0, size)
  const last = kept.at(-1)

  return {
    items: kept.map((row) => source.toItem(row)),
    next: rows.length > size && last !== undefined ? cursorAfter(source.keyOf(last)) : null,
  }
}

/** The cursor of the page that starts after this sort key. */
export function cursorAfter(key: string): string {
  return Buffer.from(JSON.stringify({ after: key })).toString('base64url')
}

function decode(cursor: string): string {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (
      typeof read === 'object' &&
      read !== null &&
      'after' in read &&
      typeof read.after === 'string' &&
      isStorable(read.after)
    )
      return read.after
  } catch {
    // Not a cursor: handled below like any other invalid text.
  }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}
