// Pages of rows whose ids are UUIDv7: sorted by id, newest first, without ties.

import { problem } from '@telltale/core/errors'
import { validate as isId } from 'uuid'
import { type Page, type PageQuery, readPage } from './page.ts'

export async function readNewestFirst<Row extends { id: string }, Item>(
  query: PageQuery,
  source: {
    /** Rows with a smaller id than this one, in descending order. */
    find(before: string | undefined, count: number): Promise<Row[]>
    toItem(row: Row): Item
  },
): Promise<Page<Item>> {
  return readPage(query, {
    find: (before, count) => source.find(before === undefined ? undefined : checkId(before), count),
    keyOf: (row) => row.id,
    toItem: source.toItem,
  })
}

/** Clients can modify a cursor: query PostgreSQL only with a valid id. */
function checkId(text: string): string {
  if (isId(text)) return text
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}
