// Reads the operations of one tab of a recording, in every format that the player shows, and derives the steps of its
// user from them.

import { setImmediate as turn } from 'node:timers/promises'
import { replayTestLimits } from '@telltale/core/replay-test-limits'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import type { RecordedView } from '@telltale/core/telemetry/replay-test/step-writer'
import { createStepReader, type RecordedSteps } from '@telltale/core/telemetry/replay-test/steps'
import { readSegments, type SegmentSource } from './read-segments.ts'

/** Milliseconds after which reading yields to other requests. */
const workAtOnce = 20

interface ReadTab {
  session: string
  tab: string
  views: readonly RecordedView[]
  /** The index of the last segment. */
  last: number
}

export interface ReadSteps extends RecordedSteps {
  /** Segments that cannot be read to their end. */
  broken: number
}

type Line =
  | { segment: { startedAt: string; broken: boolean }; next?: never }
  | { segment?: never; next: number | null }
  | (ReplayOperation & { segment?: never; next?: never })

export async function readSteps(
  source: SegmentSource,
  { session, tab, views, last }: ReadTab,
): Promise<ReadSteps> {
  const reader = createStepReader(views, replayTestLimits.replayTestSteps.value)
  let broken = 0
  let offset = Number.POSITIVE_INFINITY
  let segment: { startedAt: number; operations: ReplayOperation[] } | undefined
  const finish = () => {
    // Changes are written in batches, with a later time than presses that come after them.
    const operations = segment?.operations.sort((one, other) => one.at - other.at) ?? []
    const [first] = operations
    // The clock of the page may be off. A segment that took long to arrive has a start that is too late.
    if (segment && first) offset = Math.min(offset, segment.startedAt - first.at)
    for (const operation of operations) reader.take(operation, operation.at + offset)
  }
  let from: number | null = 0
  while (from !== null) {
    let next: number | null = null
    for await (const line of linesOf(await readSegments(source, { session, tab, from, to: last }))) {
      if (line.segment !== undefined) {
        finish()
        broken += line.segment.broken ? 1 : 0
        segment = { startedAt: Date.parse(line.segment.startedAt), operations: [] }
      } else if (line.next !== undefined) next = line.next
      else segment?.operations.push(line)
    }
    from = next
  }
  finish()
  return { ...reader.end(), broken }
}

async function* linesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let began = performance.now()
  // Each chunk consists of whole lines.
  for await (const chunk of content) {
    for (const text of chunk.toString().split('\n')) {
      if (text !== '') yield JSON.parse(text)
      if (performance.now() - began < workAtOnce) continue
      await turn()
      began = performance.now()
    }
  }
}
