// A record of the spool: a header of fixed size, then lines of rows. One checksum covers the record and detects damage;
// another covers the header, so that a damaged body can be skipped by its length.

import { crc32 } from 'node:zlib'
import { idFromBytes, idToBytes } from './id-bytes.ts'

/**
 * `batch`: events of a client. `facts`: events that each have an ID of their own. `counts`: internal counters.
 * `spans`, `logs`: of one request of OpenTelemetry. `replay`, `asset`, `profile`: attachments of clients. `aaTest`: halves of the A/A test. Records other than counts,
 * facts and the A/A test are deduplicated by their ID. `request`: at an edge, a request of a client as it arrived.
 */
export type RecordKind =
  | 'batch'
  | 'counts'
  | 'replay'
  | 'asset'
  | 'profile'
  | 'facts'
  | 'aa-test'
  | 'spans'
  | 'logs'
  | 'request'

export interface RecordHeader {
  kind: RecordKind
  environmentId: string
  batchId: string
  receivedAt: number
  /** Rows of the table of events, counts, segments, assets or exposures, or the aggregates of a profile. */
  rows: number
  /**
   * Rows of the table of views, after those; of a profile, its original and then its stacks; of the A/A test, sums by
   * unit.
   */
  viewRows: number
  /** Where the rows of views begin in the body; of facts, the ID of each row; of a request, its body. */
  viewsAt: number
  bodyBytes: number
  /**
   * Whether the header has its own checksum, so that its length can be trusted. Older versions did not write one.
   */
  isSealed: boolean
}

export interface SpoolDraft {
  kind: RecordKind
  environmentId: string
  batchId: string
  receivedAt: number
  rows: readonly string[]
  viewRows: readonly string[]
  /** Of facts: of each row. */
  ids?: readonly string[]
  /** Of a request: its body. */
  bytes?: Uint8Array
}

/** The key that detects duplicates. */
export interface KnownThing {
  environmentId: string
  batchId: string
  receivedAt: number
}

export const headerBytes = 72
const magic = 0x54454c31
/** The magic bytes of every record. */
export const recordMark = Buffer.from([0x31, 0x4c, 0x45, 0x54])
/** The server never writes a larger record: a length above this is invalid. */
const largestBody = 256 * 1_024 * 1_024
const at = {
  magic: 0,
  checksum: 4,
  body: 8,
  rows: 12,
  viewRows: 16,
  viewsAt: 20,
  kind: 24,
  time: 28,
  seal: 36,
}
const environmentAt = 40
const batchAt = 56
/** By their number in the header. */
const kinds: readonly RecordKind[] = [
  'batch',
  'counts',
  'replay',
  'asset',
  'profile',
  'facts',
  'aa-test',
  'spans',
  'logs',
  'request',
]
const bytesPerId = 16

/** How many bytes of the body, from `viewsAt` on, contain the IDs of the record. */
export const bytesOfIds = ({ kind, rows }: RecordHeader) => (kind === 'facts' ? rows * bytesPerId : 0)

/** The IDs of a record; of facts, one for each row. */
export function knownIn({ kind, ...header }: RecordHeader, ids: Buffer): KnownThing[] {
  const { environmentId, batchId, receivedAt } = header
  if (kind === 'counts' || kind === 'aa-test') return []
  if (kind !== 'facts') return [{ environmentId, batchId, receivedAt }]
  return Array.from({ length: Math.floor(ids.length / bytesPerId) }, (_, index) => {
    const id = ids.subarray(index * bytesPerId, (index + 1) * bytesPerId)
    return { environmentId, batchId: idFromBytes(id), receivedAt }
  })
}

const noBytes = new Uint8Array()

export function encodeRecord({ rows, viewRows, ids = [], bytes = noBytes, ...draft }: SpoolDraft): Buffer {
  const lines = rows.length === 0 ? '' : `${rows.join('\n')}\n`
  const viewLines = viewRows.length === 0 ? '' : `${viewRows.join('\n')}\n`
  const viewsAt = Buffer.byteLength(lines)
  const idsAt = viewsAt + Buffer.byteLength(viewLines)
  const bytesAt = idsAt + ids.length * bytesPerId
  const bodyBytes = bytesAt + bytes.length
  const record = Buffer.allocUnsafe(headerBytes + bodyBytes).fill(0, 0, headerBytes)
  record.write(lines, headerBytes)
  record.write(viewLines, headerBytes + viewsAt)
  for (const [index, id] of ids.entries()) record.set(idToBytes(id), headerBytes + idsAt + index * bytesPerId)
  record.set(bytes, headerBytes + bytesAt)
  record.writeUInt32LE(magic, at.magic)
  record.writeUInt32LE(bodyBytes, at.body)
  record.writeUInt32LE(rows.length, at.rows)
  record.writeUInt32LE(viewRows.length, at.viewRows)
  record.writeUInt32LE(viewsAt, at.viewsAt)
  record.writeUInt8(kinds.indexOf(draft.kind), at.kind)
  record.writeDoubleLE(draft.receivedAt, at.time)
  record.set(idToBytes(draft.environmentId), environmentAt)
  record.set(idToBytes(draft.batchId), batchAt)
  sealRecord(record)
  return record
}

/** Updates both checksums after a change to the record. */
function sealRecord(record: Buffer): void {
  record.writeUInt32LE(sealOf(record), at.seal)
  record.writeUInt32LE(checksumOf(record), at.checksum)
}

/** Undefined when these bytes are not a header. Does not check whether the body is complete. */
export function decodeHeader(header: Buffer): RecordHeader | undefined {
  const kind = kinds[header.readUInt8(at.kind)]
  const bodyBytes = header.readUInt32LE(at.body)
  if (header.readUInt32LE(at.magic) !== magic || kind === undefined || bodyBytes > largestBody)
    return undefined
  const seal = header.readUInt32LE(at.seal)
  if (seal !== 0 && seal !== sealOf(header)) return undefined

  return {
    kind,
    environmentId: idFromBytes(header.subarray(environmentAt, environmentAt + 16)),
    batchId: idFromBytes(header.subarray(batchAt, batchAt + 16)),
    receivedAt: header.readDoubleLE(at.time),
    rows: header.readUInt32LE(at.rows),
    viewRows: header.readUInt32LE(at.viewRows),
    viewsAt: header.readUInt32LE(at.viewsAt),
    bodyBytes,
    isSealed: seal !== 0,
  }
}

export function isWhole(record: Buffer): boolean {
  return record.readUInt32LE(at.checksum) === checksumOf(record)
}

const checksumOf = (record: Buffer) => crc32(record.subarray(at.body))

/** The checksum of the header without its two checksum fields; never zero, because zero means no checksum. */
const sealOf = (record: Buffer) =>
  crc32(record.subarray(environmentAt, headerBytes), crc32(record.subarray(at.body, at.seal))) || 1
