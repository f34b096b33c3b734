// Counts evaluations at an edge, for each environment on its own, and reports them to the server in the way of our
// clients for servers.

import { edgeLimits } from '@telltale/core/edge-limits'
import { faultOf } from '@telltale/node/fetch-rule-set'
import type { Log } from '../../platform/process/log.ts'
import { createEvaluationCounts, type EvaluationCounts } from '../../release/evaluations/count-evaluations.ts'
import type { CountedMinute } from '../../release/evaluations/write-counts.ts'

interface ReportOptions {
  server: string
  /** The server key of the environment. */
  keyOf(environmentId: string): string | undefined
  clock(): Date
  log: Log
}

export function createReportedCounts({ server, keyOf, clock, log }: ReportOptions): EvaluationCounts {
  const byEnvironment = new Map<string, EvaluationCounts>()
  /** The server meters what is reported. */
  const unmetered = { count: 0 }
  const usage = { evaluationsOf: () => unmetered }

  const countsOf = (environmentId: string) => {
    const known = byEnvironment.get(environmentId)
    if (known !== undefined) return known
    const counts = createEvaluationCounts({
      usage,
      clock,
      log,
      store: (rows) => report(server, keyOf(environmentId), rows),
    })
    byEnvironment.set(environmentId, counts)
    return counts
  }
  const all = () => [...byEnvironment.values()]

  return {
    counterOf: (environmentId, flag, evaluation) =>
      countsOf(environmentId).counterOf(environmentId, flag, evaluation),
    countMissing: (environmentId, flag) => countsOf(environmentId).countMissing(environmentId, flag),
    countElsewhere: (environmentId, flag, count) =>
      countsOf(environmentId).countElsewhere(environmentId, flag, count),
    countReported: (environmentId, flag, reported) =>
      countsOf(environmentId).countReported(environmentId, flag, reported),
    meterOf: () => unmetered,
    async flush() {
      await Promise.all(all().map((each) => each.flush()))
    },
    async stop() {
      await Promise.all(all().map((each) => each.stop()))
    },
  }
}

/** `rows` are at most as many as one report takes. */
async function report(
  server: string,
  key: string | undefined,
  rows: readonly CountedMinute[],
): Promise<void> {
  if (key === undefined) return
  const response = await fetch(`${server}/sdk/v1/evaluations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ evaluations: rows.map(entryOf) }),
    signal: AbortSignal.timeout(edgeLimits.edgeRequestTimeout.value),
  })
  await response.body?.cancel()
  if (!response.ok) throw faultOf(response)
}

function entryOf({ flag, variation, reason, split, epoch, count }: CountedMinute): object {
  return {
    flag,
    reason,
    count,
    ...(variation === null ? {} : { variation }),
    ...(split === null ? {} : { split, epoch }),
  }
}
