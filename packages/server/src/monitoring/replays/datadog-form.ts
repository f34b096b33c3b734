// Converts segments of Datadog's SDK to lines of the player. Each segment continues the previous one: after a
// missing or broken segment, nothing can be played until the next full snapshot.

import { createReplayConverter, type ReplayConverter } from '@telltale/core/telemetry/datadog/convert-replay'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import type { PlayedSegment, PlayerForm, RecordedSegment } from './recorded-segment.ts'
import { writeLines } from './write-lines.ts'

export function createDatadogForm(): PlayerForm {
  let reading: { converter: ReplayConverter; next: number } | undefined

  return {
    async read({ seq, full, text }: RecordedSegment): Promise<PlayedSegment | undefined> {
      const before = reading
      reading = undefined
      const continues = before?.next === seq
      if (!continues && !full) return undefined
      const records = readRecords(text)
      if (records === undefined) return undefined
      const converter = continues ? before.converter : createReplayConverter()
      const played = await writeLines(convert(converter, records))
      if (!played.isBroken) reading = { converter, next: seq + 1 }
      return played
    },
    get next() {
      return reading?.next
    },
    get size() {
      return reading?.converter.size ?? 0
    },
  }
}

function* convert(converter: ReplayConverter, records: readonly unknown[]): Generator<ReplayOperation[]> {
  converter.beginSegment()
  const earliest = earliestOf(records)
  let isBeginning = earliest !== undefined
  for (const record of records) {
    const operations = converter.convert(record)
    const [first] = operations
    if (isBeginning && earliest !== undefined && first !== undefined) {
      isBeginning = false
      if (first.at !== earliest) yield [beginning(earliest)]
    }
    yield operations
  }
}

/** The player sets its clock by the first operation, so records without one count as well. */
const beginning = (at: number): ReplayOperation => ({ at, do: 'note', note: { kind: 'begin' } })

function readRecords(text: Buffer): unknown[] | undefined {
  try {
    const { records }: { records?: unknown } = JSON.parse(text.toString('utf8')) ?? {}
    return Array.isArray(records) ? records : undefined
  } catch {
    // Not JSON, although it was uploaded as such.
    return undefined
  }
}

function earliestOf(records: readonly unknown[]): number | undefined {
  let earliest: number | undefined
  for (const record of records) {
    if (typeof record !== 'object' || record === null || !('timestamp' in record)) continue
    const { timestamp } = record
    if (typeof timestamp !== 'number' || timestamp >= (earliest ?? Number.POSITIVE_INFINITY)) continue
    earliest = timestamp
  }
  return earliest
}
