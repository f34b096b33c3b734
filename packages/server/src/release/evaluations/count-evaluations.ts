// Counts how often each outcome of each flag was served. A request increments a number stored with its cached
// response; the rest is done in batches afterwards. Counts are kept while PostgreSQL is unavailable; a server
// that is killed loses a few seconds.

import type { Evaluation } from '@telltale/core/contract/trace'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import type { UsageCounts } from '../../organisation/usage/count-usage.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import type { CountedMinute, Outcome } from './write-counts.ts'

export interface EvaluationCounter {
  /** Increment for every evaluation. */
  count: number
}

export interface EvaluationCounts {
  /** The counter of an outcome, which must be kept exactly as long as the evaluation. */
  counterOf(environmentId: string, flagKey: string, evaluation: Evaluation): EvaluationCounter
  /** Counts a request for a flag that is not active, if it exists as an archived flag. */
  countMissing(environmentId: string, flagKey: string): void
  /** Counts evaluations reported by a client with local evaluation, without their outcomes. */
  countElsewhere(environmentId: string, flagKey: string, count: number): void
  /** Counts outcomes reported by one of our own clients for servers. */
  countReported(environmentId: string, flagKey: string, reported: ReportedOutcome & { count: number }): void
  /** What the key used; incremented once for every request, by the flags that it evaluated. */
  meterOf(key: Pick<KnownKey, 'environment'>): EvaluationCounter
  /** Writes all counts so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

type ReportedOutcome = Pick<Evaluation, 'variation'> & {
  /** `LOCAL`: in a client, which does not report outcomes. */
  reason: Evaluation['reason'] | 'LOCAL'
  split: { id: string; epoch: number } | undefined
}

interface Cell {
  outcome: Outcome
  counter: EvaluationCounter
  /** Alive as long as something can count; afterwards, and at zero, the cell is removed. */
  holder: WeakRef<Evaluation>
}

const minute = 60_000
/** Small enough that building the statement does not delay requests. */
const rowsPerStatement = 500

export function createEvaluationCounts({
  store,
  usage,
  clock,
  log,
}: Pick<Services, 'clock' | 'log'> & {
  /** Adds these to what is stored. If it fails, the same ones follow later. */
  store(rows: readonly CountedMinute[]): Promise<void>
  usage: Pick<UsageCounts, 'evaluationsOf'>
}): EvaluationCounts {
  const cells = new Map<string, Cell>()
  /** Counts without an evaluation on this server. */
  const reported = new Map<string, { outcome: Outcome; counter: EvaluationCounter }>()
  const waiting = new Map<string, CountedMinute>()

  const take = (key: string, outcome: Outcome, counter: EvaluationCounter) => {
    const now = clock().getTime()
    const at = now - (now % minute)
    const name = `${key} ${at}`
    const row = waiting.get(name)
    if (row !== undefined) {
      row.count += counter.count
      row.lastAt = now
    } else {
      // The count stays in the counter; only its exact minute is lost.
      if (waiting.size >= limits.evaluationBacklog) return
      waiting.set(name, { ...outcome, at, firstAt: now, lastAt: now, count: counter.count })
    }
    counter.count = 0
  }
  const takeAll = () => {
    for (const [key, { outcome, counter, holder }] of cells) {
      if (counter.count > 0) take(key, outcome, counter)
      else if (holder.deref() === undefined) cells.delete(key)
    }
    for (const [key, { outcome, counter }] of reported) take(key, outcome, counter)
    reported.clear()
  }
  const report = (outcome: Outcome, count: number) => {
    const key = keyOf(outcome)
    const known = reported.get(key)
    if (known !== undefined) known.counter.count += count
    else if (reported.size < limits.evaluationUnknownFlags && isKey(outcome.flag))
      reported.set(key, { outcome, counter: { count } })
  }
  const write = async () => {
    takeAll()
    const rows = [...waiting]
    for (let first = 0; first < rows.length; first += rowsPerStatement) {
      const some = rows.slice(first, first + rowsPerStatement)
      const written = some.map(([, row]) => row)
      await store(written)
      for (const [name] of some) waiting.delete(name)
    }
  }

  let last = Promise.resolve()
  const flush = () => {
    last = last.catch(() => undefined).then(write)
    return last
  }
  const stopRepeating = startRepeating(
    log,
    { what: 'writing evaluation counts', every: limits.evaluationFlushInterval },
    flush,
  )

  return {
    counterOf(environmentId, flagKey, evaluation) {
      const outcome = outcomeOf(environmentId, flagKey, evaluation)
      const key = keyOf(outcome)
      const holder = new WeakRef(evaluation)
      const known = cells.get(key)
      if (known !== undefined) {
        known.holder = holder
        return known.counter
      }
      const counter = { count: 0 }
      cells.set(key, { outcome, counter, holder })
      return counter
    },
    countMissing: (environment, flag) => report({ ...unknown, reason: 'ERROR', environment, flag }, 1),
    countElsewhere: (environment, flag, count) =>
      report({ ...unknown, reason: 'LOCAL', environment, flag }, count),
    countReported: (environment, flag, reported) =>
      report(outcomeOf(environment, flag, reported), reported.count),
    meterOf: ({ environment }) => usage.evaluationsOf(environment),
    flush,
    stop: () => finish(log, 'writing the last evaluation counts', stopRepeating().then(flush)),
  }
}

/**
 * Ids of splits are numbers of the database. Any other one is not stored: a single one would make the statement fail, and with it
 * the counts of all other flags.
 */
const storedId = /^\d{1,18}$/

const unknown = { variation: null, split: null, epoch: null }

function outcomeOf(
  environment: string,
  flag: string,
  { variation, reason, split }: ReportedOutcome,
): Outcome {
  const [id, epoch] = split && storedId.test(split.id) ? [split.id, split.epoch] : [null, null]
  return { environment, flag, variation: variation ?? null, reason, split: id, epoch }
}

function keyOf({ environment, flag, variation, reason, split, epoch }: Outcome): string {
  return `${environment} ${flag} ${variation ?? ''} ${reason} ${split ?? ''} ${epoch ?? ''}`
}
