// Converts segments of Datadog's SDK to lines of the player. Each segment continues the previous one: after a
// missing or broken segment, nothing can be played until the next full snapshot.

import { setImmediate as turn } from 'node:timers/promises'
import {
  createReplayConverter,
  type PlayedEvent,
  type ReplayConverter,
} from '@telltale/core/telemetry/datadog/convert-replay'
import { RecordingTooLarge } from '@telltale/core/telemetry/datadog/string-table'
import type { PlayerForm, RecordedSegment } from './recorded-segment.ts'

/** Milliseconds after which conversion yields to other requests. */
const workAtOnce = 20

export function createDatadogForm(): PlayerForm {
  let reading: { converter: ReplayConverter; next: number } | undefined

  return {
    async read({ seq, full, text }: RecordedSegment) {
      const before = reading
      reading = undefined
      const continues = before?.next === seq
      if (!continues && !full) return undefined
      const converter = continues ? before.converter : createReplayConverter()
      const lines = await convert(converter, text)
      if (lines !== undefined) reading = { converter, next: seq + 1 }
      return lines
    },
    get next() {
      return reading?.next
    },
    get size() {
      return reading?.converter.size ?? 0
    },
  }
}

async function convert(converter: ReplayConverter, text: Buffer): Promise<Buffer | undefined> {
  const records = readRecords(text)
  if (records === undefined) return undefined
  const lines: string[] = []
  converter.beginSegment()
  let first: number | undefined
  let began = performance.now()
  try {
    for (const record of records) {
      for (const event of converter.convert(record)) {
        first ??= event.timestamp
        lines.push(JSON.stringify(event))
      }
      if (performance.now() - began < workAtOnce) continue
      await turn()
      began = performance.now()
    }
  } catch (error) {
    if (error instanceof RecordingTooLarge) return undefined
    throw error
  }
  const earliest = earliestOf(records)
  if (earliest !== undefined && first !== earliest) lines.unshift(JSON.stringify(beginning(earliest)))
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

/** The player sets its clock by the first event, so records without an event count as well. */
const beginning = (timestamp: number): PlayedEvent => ({
  ...{ type: 5, timestamp },
  data: { tag: 'datadog-segment', payload: null },
})

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
