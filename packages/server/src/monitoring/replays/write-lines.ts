// Writes operations as lines of JSON. A long segment yields to other requests.

import { setImmediate as turn } from 'node:timers/promises'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { BrokenRecording, RecordingTooLarge } from '@telltale/core/telemetry/replay/read-bytes'
import type { PlayedSegment } from './recorded-segment.ts'

/** Milliseconds after which conversion yields to other requests. */
const workAtOnce = 20

/** Converts as it writes: what comes before a fault is kept. */
export async function writeLines(source: Iterable<readonly ReplayOperation[]>): Promise<PlayedSegment> {
  const lines: Buffer[] = []
  let text = ''
  let began = performance.now()
  const done = (isBroken: boolean): PlayedSegment => ({
    lines: Buffer.concat([...lines, Buffer.from(text)]),
    isBroken,
  })
  try {
    for (const operations of source) {
      for (const operation of operations) text += `${JSON.stringify(operation)}\n`
      if (performance.now() - began < workAtOnce) continue
      lines.push(Buffer.from(text))
      text = ''
      await turn()
      began = performance.now()
    }
    return done(false)
  } catch (error) {
    if (error instanceof BrokenRecording || error instanceof RecordingTooLarge) return done(true)
    throw error
  }
}
