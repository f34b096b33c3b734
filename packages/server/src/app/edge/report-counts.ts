// Counts evaluations at an edge, for each environment on its own, and reports them to the server in the way of our
// clients for servers.

import { randomUUID } from 'node:crypto'
import { edgeLimits } from '@telltale/core/edge-limits'
import { limits } from '@telltale/core/limits'
import { faultOf } from '@telltale/node/fetch-rule-set'
import type { Log } from '../../platform/process/log.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
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
    const sender = createSender((report) => post(server, keyOf(environmentId), report))
    const counts = createEvaluationCounts({ ...{ usage, clock, log }, store: sender.store })
    const stopSending = startRepeating(
      log,
      { what: 'reporting evaluation counts', every: limits.evaluationFlushInterval },
      sender.sendAgain,
    )
    byEnvironment.set(environmentId, {
      ...counts,
      async stop() {
        await stopSending()
        await counts.stop()
        await finish(log, 'reporting the last evaluation counts', sender.sendAgain())
      },
    })
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

interface Report {
  id: string
  /** At most as many as one report takes. */
  evaluations: object[]
}

interface Sender {
  /** Takes over the rows. Throws while an earlier report has no answer. */
  store(rows: readonly CountedMinute[]): Promise<void>
  /** Sends the report that has no answer. */
  sendAgain(): Promise<void>
}

/** A report without an answer may have arrived, so it is sent again unchanged, before others. */
function createSender(send: (report: Report) => Promise<void>): Sender {
  let unanswered: Report | undefined
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>) => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  const settle = async () => {
    if (unanswered !== undefined) await send(unanswered)
    unanswered = undefined
  }
  return {
    sendAgain: () => inTurn(settle),
    store: (rows) =>
      inTurn(async () => {
        await settle()
        unanswered = { id: randomUUID(), evaluations: rows.map(entryOf) }
        await settle().catch(() => undefined)
      }),
  }
}

async function post(server: string, key: string | undefined, report: Report): Promise<void> {
  if (key === undefined) throw new Error('the edge has no key of this environment')
  const response = await fetch(`${server}/sdk/v1/evaluations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(report),
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
