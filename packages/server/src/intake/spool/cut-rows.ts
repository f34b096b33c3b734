// Builds inserts from records: the rows of each table, in chunks of the size of an insert. The same records always give
// the same chunks with the same tokens.

import { limits } from '@telltale/core/limits'
import {
  assetColumns,
  profileBlobColumns,
  profileColumns,
  segmentColumns,
  stackColumns,
} from '@telltale/core/telemetry/attachment-rows'
import { eventColumns, viewColumns } from '@telltale/core/telemetry/event-row'
import { exposureColumns, unitMeasureColumns } from '@telltale/core/telemetry/hidden-split-rows'
import { logColumns } from '@telltale/core/telemetry/otlp/log-row'
import { spanColumns } from '@telltale/core/telemetry/otlp/span-row'
import type { WrittenColumn, WrittenTable } from '../../platform/engines/clickhouse/schema/tables.ts'
import { type Rows, splitLines } from './deliver-rows.ts'
import { outcomeColumns } from './outcomes.ts'
import type { RecordKind } from './record.ts'
import type { StoredRecord } from './segment-reader.ts'

/** `token` identifies these records uniquely. */
export function cutRows(records: readonly StoredRecord[], token: string): Rows[] {
  const of = (...kinds: RecordKind[]) => records.filter(({ header }) => kinds.includes(header.kind))
  const first = (found: readonly StoredRecord[]) =>
    found.map(({ header, body }) => body.subarray(0, header.viewsAt))
  const second = (found: readonly StoredRecord[]) =>
    found.map(({ header, body }) => body.subarray(header.viewsAt))
  const profiles = of('profile')
  // The original of each profile, then its stacks.
  const beside = second(profiles).map(splitLines)
  return [
    ...piecesOf({ table: 'exposures', columns: exposureColumns, token: `${token}-x` }, first(of('aa-test'))),
    ...piecesOf(
      { table: 'unit_measures', columns: unitMeasureColumns, token: `${token}-m` },
      second(of('aa-test')),
    ),
    ...piecesOf({ table: 'events', columns: eventColumns, token: `${token}-e` }, first(of('batch', 'facts'))),
    ...piecesOf({ table: 'views', columns: viewColumns, token: `${token}-v` }, second(of('batch'))),
    ...piecesOf({ table: 'spans', columns: spanColumns, token: `${token}-t` }, first(of('spans'))),
    ...piecesOf({ table: 'logs', columns: logColumns, token: `${token}-l` }, first(of('logs'))),
    ...piecesOf(
      { table: 'intake_outcomes', columns: outcomeColumns, token: `${token}-o` },
      first(of('counts')),
    ),
    ...piecesOf(
      { table: 'replay_segments', columns: segmentColumns, token: `${token}-r` },
      first(of('replay')),
    ),
    ...piecesOf({ table: 'replay_assets', columns: assetColumns, token: `${token}-a` }, first(of('asset'))),
    ...piecesOf({ table: 'profile_rows', columns: profileColumns, token: `${token}-p` }, first(profiles)),
    ...piecesOf(
      { table: 'profile_blobs', columns: profileBlobColumns, token: `${token}-b` },
      beside.flatMap((lines) => lines.slice(0, 1)),
    ),
    ...piecesOf(
      { table: 'profile_stacks', columns: stackColumns, token: `${token}-s` },
      beside.flatMap((lines) => lines.slice(1)),
    ),
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
