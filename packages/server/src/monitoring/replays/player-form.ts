// The player has one format for all recordings: lines of JSON, one rrweb 2 event each. To support another
// format, add its conversion here and its name to `replayFormats` of the contract.

import { createDatadogForm } from './datadog-form.ts'
import type { PlayerForm, RecordedSegment } from './recorded-segment.ts'

/** Whether such a segment can only be read after the previous ones. */
export const needsEarlier = (format: string) => format === 'datadog-7'

export function createPlayerForm(): PlayerForm {
  const datadog = createDatadogForm()
  const forms = new Map<string, (segment: RecordedSegment) => Promise<Buffer | undefined>>([
    ['rrweb-2', async ({ text }) => asLines(text)],
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

/**
 * Already in the player's format. Adds a final newline, so that the last line is not joined with the first one
 * of the next segment.
 */
function asLines(text: Buffer): Buffer {
  const lineEnd = 10
  return text.length === 0 || text.at(-1) === lineEnd ? text : Buffer.concat([text, Buffer.from([lineEnd])])
}
