// Selects what the writer ships in one turn: whole records in order, enough for one insert.

import { limits } from '@telltale/core/limits'
import { isBefore, type Position } from './position.ts'
import type { StoredRecord } from './segment-reader.ts'
import type { Segments } from './segments.ts'

interface Reading {
  /** Set when the records were already planned earlier. */
  end?: Position
  /** The first of them. */
  begun?: readonly StoredRecord[]
}

/** Reads as many records as one turn ships; at least one if there is any. */
export async function readRecords(
  segments: Segments,
  from: Position,
  { end, begun = [] }: Reading = {},
): Promise<StoredRecord[]> {
  const records = [...begun]
  let { rows, bytes } = sizeOf(records)
  for (let at = records.at(-1)?.next ?? from; end === undefined || isBefore(at, end); ) {
    if (end === undefined && isEnough(rows, bytes)) break
    const record = await segments.read(at)
    if (record === undefined) break
    // Damage at the end of a plan was skipped: what follows belongs to the next plan.
    if (end !== undefined && !isBefore(record.position, end)) break
    rows += record.header.rows + record.header.viewRows
    bytes += record.body.length
    if (end === undefined && rows > limits.flushRowsMaximum && records.length > 0) break
    records.push(record)
    at = record.next
  }
  return records
}

const isEnough = (rows: number, bytes: number) => rows >= limits.flushRows || bytes >= limits.flushSize

function sizeOf(records: readonly StoredRecord[]) {
  const rows = records.reduce((total, { header }) => total + header.rows + header.viewRows, 0)
  const bytes = records.reduce((total, { body }) => total + body.length, 0)
  return { rows, bytes }
}
