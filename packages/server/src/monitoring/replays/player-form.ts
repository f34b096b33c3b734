// The player has one form for all recordings: operations as lines of JSON. To support another format, add its
// conversion here and its name to `replayFormats` of the contract.

import { createRrwebConverter } from '@telltale/core/telemetry/replay/convert-rrweb'
import { decodeSegment } from '@telltale/core/telemetry/replay/decode-segment'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { createDatadogForm } from './datadog-form.ts'
import type { PlayedSegment, PlayerForm, RecordedSegment } from './recorded-segment.ts'
import { writeLines } from './write-lines.ts'

/** Whether such a segment can only be read after the previous ones. */
export const needsEarlier = (format: string) => format === 'datadog-7'

export function createPlayerForm(): PlayerForm {
  const datadog = createDatadogForm()
  const forms = new Map<string, (segment: RecordedSegment) => Promise<PlayedSegment | undefined>>([
    ['telltale-replay-1', ({ text }) => writeLines(each(decodeSegment(text)))],
    ['rrweb-2', ({ text }) => writeLines(convertEvents(text))],
    ['datadog-7', datadog.read],
  ])
  return {
    read: async (segment) => forms.get(segment.format)?.(segment),
    get next() {
      return datadog.next
    },
    get size() {
      return datadog.size
    },
  }
}

/** Shown in lists of their own (`list-details.ts`): the player needs none of them. */
const ownList = new Set<string>(['console', 'request'])

function* each(operations: Iterable<ReplayOperation>): Generator<ReplayOperation[]> {
  for (const operation of operations) if (!ownList.has(operation.do)) yield [operation]
}

const lineEnd = 10

function* convertEvents(text: Buffer): Generator<ReplayOperation[]> {
  const converter = createRrwebConverter()
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf(lineEnd, from)
    const end = found === -1 ? text.length : found
    yield converter.convert(parse(text.toString('utf8', from, end)))
    from = end + 1
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Truncated or foreign line: the rest of the segment may be valid.
    return undefined
  }
}
