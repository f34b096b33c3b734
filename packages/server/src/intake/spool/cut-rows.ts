// Makes inserts of records: the rows of each table, in pieces that an insert may have. The same records always make the
// same pieces under the same tokens.

import { limits } from '@telltale/core/limits'
import { eventColumns, viewColumns } from '@telltale/core/telemetry/event-row'
import type { WrittenColumn, WrittenTable } from '../../engines/clickhouse/schema/tables.ts'
import { outcomeColumns } from '../outcomes.ts'
import { type Rows, splitLines } from './deliver-rows.ts'
import type { StoredRecord } from './segments.ts'

/** `token` tells these records from all others. */
export function cutRows(records: readonly StoredRecord[], token: string): Rows[] {
  const events: Buffer[] = []
  const views: Buffer[] = []
  const counts: Buffer[] = []
  for (const { header, body } of records) {
    const first = body.subarray(0, header.viewsAt)
    if (header.kind === 'counts') counts.push(first)
    else events.push(first)
    views.push(body.subarray(header.viewsAt))
  }
  return [
    ...piecesOf({ table: 'events', columns: eventColumns, token: `${token}-e` }, events),
    ...piecesOf({ table: 'views', columns: viewColumns, token: `${token}-v` }, views),
    ...piecesOf({ table: 'intake_outcomes', columns: outcomeColumns, token: `${token}-o` }, counts),
  ]
}

interface Target<Table extends WrittenTable> {
  table: Table
  columns: readonly WrittenColumn<Table>[]
  token: string
}

function piecesOf<Table extends WrittenTable>(
  { table, columns, token }: Target<Table>,
  parts: readonly Buffer[],
): Rows[] {
  return cut(Buffer.concat(parts)).map((lines, index) => ({
    table,
    columns,
    lines,
    token: `${token}${index}`,
    insert: (store, batch) => store.insert({ table, columns, ...batch }),
  }))
}

function cut(bytes: Buffer): Buffer[] {
  if (bytes.length === 0) return []
  const lines = splitLines(bytes)
  if (bytes.length <= limits.flushSize && lines.length <= limits.flushRowsMaximum) return [bytes]

  const pieces: Buffer[] = []
  let piece: Buffer[] = []
  let size = 0
  for (const line of lines) {
    const isFull = piece.length >= limits.flushRowsMaximum || size + line.length > limits.flushSize
    if (isFull && piece.length > 0) {
      pieces.push(Buffer.concat(piece))
      piece = []
      size = 0
    }
    piece.push(line)
    size += line.length
  }
  return [...pieces, Buffer.concat(piece)]
}
