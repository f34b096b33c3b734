// Outcomes of everything that arrived, summed by hour, kind and reason, and written through the spool every few
// seconds. A server that is killed loses seconds of these counts, never data.

import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import type { Log } from '../../platform/process/log.ts'
import type { SpoolDraft } from './record.ts'
import type { Spool } from './spool.ts'

export const outcomeColumns = ['environment_id', 'hour', 'kind', 'source', 'reason', 'count'] as const

export interface Outcome {
  environmentId: string
  kind: string
  source: string
  /** `accepted`, `repeated`, or the reason why it was dropped. */
  reason: string
}

export interface Outcomes {
  count(outcome: Outcome, count: number): void
  /** Since the start, by reason. */
  totals(): ReadonlyMap<string, number>
  flush(): Promise<void>
}

const hour = 3_600_000

export function createOutcomes(spool: Spool, { now, log }: { now: () => number; log: Log }): Outcomes {
  let waiting = new Map<string, { environmentId: string; row: unknown[]; count: number }>()
  const totals = new Map<string, number>()

  const add = (key: string, entry: { environmentId: string; row: unknown[]; count: number }) => {
    const known = waiting.get(key)
    if (known !== undefined) known.count += entry.count
    else if (waiting.size < limits.outcomeKinds) waiting.set(key, { ...entry })
  }

  return {
    count({ environmentId, kind, source, reason }, count) {
      if (count === 0) return
      totals.set(reason, (totals.get(reason) ?? 0) + count)
      const hourSeconds = (Math.floor(now() / hour) * hour) / 1_000
      const row = [environmentId, hourSeconds, kind, source, reason]
      add(row.join(' '), { environmentId, row, count })
    },
    totals: () => totals,
    async flush() {
      const written = waiting
      if (written.size === 0) return
      waiting = new Map()
      const rows = [...written.values()].map(({ row, count }) => JSON.stringify([...row, count]))
      const [first] = written.values()
      const draft: SpoolDraft = {
        kind: 'counts',
        environmentId: first?.environmentId ?? '',
        batchId: newId(),
        receivedAt: now(),
        rows,
        viewRows: [],
      }
      try {
        await spool.append(draft, 'essential')
      } catch (error) {
        // They stay until the next write.
        log.debug({ err: error }, 'telemetry outcomes could not be written')
        for (const [key, entry] of written) add(key, entry)
      }
    },
  }
}
