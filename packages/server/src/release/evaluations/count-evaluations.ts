// How often each outcome of each flag was served. A request adds one to a number that its answer keeps; everything else
// happens behind it, in batches. Counts wait while PostgreSQL is away, and a server that is killed loses seconds of them.

import type { Evaluation } from '@telltale/core/contract/trace'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'
import { type CountedMinute, type Outcome, writeCounts } from './write-counts.ts'

export interface EvaluationCounter {
  /** Add one for every evaluation. */
  count: number
}

export interface EvaluationCounts {
  /** The counter of an outcome, to be kept as long as the evaluation itself and no longer. */
  counterOf(environmentId: string, flagKey: string, evaluation: Evaluation): EvaluationCounter
  /** Somebody asked for a flag that is not active: it is counted if it is there, archived. */
  countMissing(environmentId: string, flagKey: string): void
  /** A client that evaluates by itself tells how often, and not with which outcome. */
  countElsewhere(environmentId: string, flagKey: string, count: number): void
  /** Writes what was counted until now. */
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Cell {
  outcome: Outcome
  counter: EvaluationCounter
  /** Whoever can still count holds it: without it, and at zero, the cell can go. */
  holder: WeakRef<Evaluation>
}

const minute = 60_000
/** Small enough that no request waits while they are put into one statement. */
const rowsPerStatement = 500

export function createEvaluationCounts({
  db,
  clock,
  log,
}: Pick<Services, 'db' | 'clock' | 'log'>): EvaluationCounts {
  const cells = new Map<string, Cell>()
  /** What has no evaluation of ours behind it. */
  const told = new Map<string, { outcome: Outcome; counter: EvaluationCounter }>()
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
      // Left where it is, nothing is lost but the minute.
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
    for (const [key, { outcome, counter }] of told) take(key, outcome, counter)
    told.clear()
  }
  const tell = (outcome: Outcome, count: number) => {
    const key = keyOf(outcome)
    const known = told.get(key)
    if (known !== undefined) known.counter.count += count
    else if (told.size < limits.evaluationUnknownFlags && isKey(outcome.flag))
      told.set(key, { outcome, counter: { count } })
  }
  const write = async () => {
    takeAll()
    const rows = [...waiting]
    for (let first = 0; first < rows.length; first += rowsPerStatement) {
      const some = rows.slice(first, first + rowsPerStatement)
      const written = some.map(([, row]) => row)
      await writeCounts(db, written)
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
    countMissing: (environment, flag) => tell({ ...unknown, reason: 'ERROR', environment, flag }, 1),
    countElsewhere: (environment, flag, count) =>
      tell({ ...unknown, reason: 'LOCAL', environment, flag }, count),
    flush,
    stop: () => finish(log, 'writing the last evaluation counts', stopRepeating().then(flush)),
  }
}

const unknown = { variation: null, split: null, epoch: null }

function outcomeOf(environment: string, flag: string, { variation, reason, split }: Evaluation): Outcome {
  const [id, epoch] = split === undefined ? [null, null] : [split.id, split.epoch]
  return { environment, flag, variation: variation ?? null, reason, split: id, epoch }
}

function keyOf({ environment, flag, variation, reason, split, epoch }: Outcome): string {
  return `${environment} ${flag} ${variation ?? ''} ${reason} ${split ?? ''} ${epoch ?? ''}`
}
