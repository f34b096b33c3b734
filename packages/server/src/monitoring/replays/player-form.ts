// In whatever form a page was recorded, the player gets one: lines of JSON, an event of rrweb 2 each. A new form of recordings is
// added here, with how it becomes that, and to `replayFormats` of the contract.

import { createDatadogForm } from './datadog-form.ts'
import type { PlayerForm, RecordedSegment } from './recorded-segment.ts'

/** Whether what such a segment means is told by those before it. */
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

/** It is the player's own. What stands after the last line would be one with the first of the next segment. */
function asLines(text: Buffer): Buffer {
  const lineEnd = 10
  return text.length === 0 || text.at(-1) === lineEnd ? text : Buffer.concat([text, Buffer.from([lineEnd])])
}
