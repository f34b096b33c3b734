// Generated events as the lines that the SDK sends.

import type { EventContext } from '@telltale/core/contract/events'
import type { TapeEvent } from './tape.ts'

export function toLines(reported: readonly TapeEvent[]): string {
  const indexes = new Map<EventContext, number>()
  const lines: string[] = []
  for (const { event, context } of reported) {
    const known = indexes.get(context)
    const index = known ?? indexes.size
    if (known === undefined) {
      indexes.set(context, index)
      lines.push(JSON.stringify({ ...context, index }))
    }
    lines.push(JSON.stringify({ ...event, context: index }))
  }
  return `${lines.join('\n')}\n`
}
