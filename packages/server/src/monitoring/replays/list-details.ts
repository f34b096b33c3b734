// Console messages and requests from the segments of a session, part by part.

import { setImmediate as turn } from 'node:timers/promises'
import type { ReplayDetail } from '@telltale/core/contract/replay-details'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import type { RecordedMessage, ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { BrokenRecording, RecordingTooLarge } from '@telltale/core/telemetry/replay/read-bytes'
import { toInstant } from './describe-tabs.ts'
import { findSegments, readBodies, type SegmentBody, type SegmentRow } from './queries.ts'
import { type SegmentSource, unpackRow } from './read-segments.ts'

/** Of one part: bounds the work of a request. */
const segmentsAtOnce = 60
const bytesAtOnce = 4 * 1_024 * 1_024
/** Milliseconds after which decoding yields to other requests. */
const workAtOnce = 20

export interface DetailPart {
  items: ReplayDetail[]
  next: number | null
}

export async function listDetails(
  source: SegmentSource,
  { session, from }: { session: string; from: number },
): Promise<DetailPart> {
  const rows = await findSegments(source.question, session)
  rows.sort((one, other) => Number(one.started_at) - Number(other.started_at))
  const part = partFrom(rows, from)
  const items: ReplayDetail[] = []
  for (const tab of new Set(part.map(({ tab_id }) => tab_id))) {
    const wanted = new Set(part.filter((row) => row.tab_id === tab).map(({ seq }) => seq))
    const range = { session, tab, from: Math.min(...wanted), to: Math.max(...wanted) }
    for (const row of await readBodies(source.question, range)) {
      if (wanted.has(row.seq) && row.format === 'telltale-replay-1')
        items.push(...(await readDetails(source, row, tab)))
    }
  }
  items.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  const next = from + part.length
  return { items, next: next < rows.length ? next : null }
}

function partFrom(rows: readonly SegmentRow[], from: number): SegmentRow[] {
  let bytes = 0
  return rows.slice(from, from + segmentsAtOnce).filter((row, index) => {
    bytes += row.bytes
    return index === 0 || bytes <= bytesAtOnce
  })
}

async function readDetails(
  { memory }: SegmentSource,
  row: SegmentBody,
  tab: string,
): Promise<ReplayDetail[]> {
  return memory.during('management', async (claim) => {
    const bytes = await unpackRow(row, claim)
    const found: ReplayDetail[] = []
    if (bytes === undefined) return found
    let began = performance.now()
    let offset: number | undefined
    try {
      for (const operation of decodeSegment(bytes)) {
        // The page's clock may be off: the first operation is at the start of the segment.
        offset ??= Number(row.started_at) - operation.at
        const detail = toDetail(operation, { tab, at: operation.at + offset })
        if (detail !== undefined) found.push(detail)
        if (performance.now() - began < workAtOnce) continue
        await turn()
        began = performance.now()
      }
    } catch (error) {
      if (!(error instanceof BrokenRecording || error instanceof RecordingTooLarge)) throw error
    }
    return found
  })
}

function toDetail(
  operation: ReplayOperation,
  { tab, at }: { tab: string; at: number },
): ReplayDetail | undefined {
  const place = { tab, at: toInstant(at), message: null, request: null, left: null }
  if (operation.do === 'console') {
    const { level, text, args } = operation
    return { ...place, kind: 'console', message: { level, text, args: [...args] } }
  }
  if (operation.do === 'request') {
    const { kind, method, address: url, status, duration, request, response } = operation
    const startedAt = toInstant(at - duration)
    const messages = { request: toMessage(request), response: toMessage(response) }
    return {
      ...place,
      kind: 'request',
      request: { kind, method, url, status, startedAt, duration, ...messages },
    }
  }
  if (operation.do !== 'note' || operation.note.kind !== 'left-out') return undefined
  const { of, count } = operation.note
  if ((of !== 'console' && of !== 'requests') || !Number.isSafeInteger(count)) return undefined
  return { ...place, kind: 'left-out', left: { of, count: Math.max(0, Number(count)) } }
}

function toMessage({ headers, body }: RecordedMessage) {
  return { headers: headers.map(([name, value]) => ({ name, value })), body: { ...body } }
}
