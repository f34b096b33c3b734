// Excess affected users of every flag variation in one month, by one joint estimate over overlapping splits. An
// additive structural mean model, solved by its moments with the designed probabilities (Robins 1994): over all
// users, the weights of each column times the outcome equal the sum of all columns' effects on it. Where splits are
// independent this is the difference to the control, by epoch, with less noise; where one flag needs another, each gets
// its own part. The variance is the sandwich (White 1980) between users, so a user counts once, however many errors they
// had. Intervals are the boundary of the guard: they hold at any time.

import { criticalMultiplier } from '../../statistics/boundary.ts'
import { type JointColumns, joinColumns } from './joint-weights.ts'
import {
  type ColumnFault,
  columnsOf,
  faultOf,
  type HitsOf,
  hitsOfKind,
  type LedgerColumn,
} from './ledger-columns.ts'
import { type HarmKind, harmKinds, type LedgerCounts, type LedgerSplit } from './ledger-counts.ts'

export interface ColumnOfLedger {
  flag: string
  split: string
  variation: string
  control: string
  by: string
  /** Users with the variation, and with the control, in compared epochs. */
  users: number
  controlUsers: number
}

export interface ExcessHarm {
  /** Affected users with the variation, and with the control. */
  affected: number
  controlAffected: number
  /** Users with the variation who would not have been affected with the control; negative: fewer were affected. */
  estimate: number
  /** Holds at any time with 95 %. */
  lower: number
  upper: number
  /** Not negative. Holds with 95 % together with those of all other columns, so that they can be added. */
  confirmed: number
}

export type ColumnHarm = ColumnOfLedger &
  (
    | { fault: ColumnFault }
    /** Other variations with nearly the same users: the figures are of all of them together. */
    | { together: readonly ColumnOfLedger[]; harm: Partial<Record<HarmKind, ExcessHarm>> }
  )

/** The probability that an interval ever excludes the true value. */
export const ledgerLevel = 0.05
/** With fewer affected users in both arms there is no interval. */
export const fewestAffected = 30
/** Intervals are narrowest for effects of about this size, relative to the larger share of affected users. */
const usual = 0.5

/** One entry per variation that a split compares. */
export function estimateHarm(splits: readonly LedgerSplit[], counts: LedgerCounts): ColumnHarm[] {
  const columns = columnsOf(splits, counts)
  const faults = new Map(
    columns.flatMap((column) => {
      const fault = faultOf(column, counts)
      return fault === undefined ? [] : [[column, fault] as const]
    }),
  )
  const joint = joinColumns(
    columns.filter((column) => !faults.has(column)),
    counts.pairs,
  )
  const kinds = new Map(harmKinds.map((kind) => [kind, hitsOfKind(counts.hits, kind)]))
  const estimated = joint.columns.map((column, index): ColumnHarm => {
    const harm = [...kinds].flatMap(([kind, hits]) => {
      const found = excessOf(joint, index, hits)
      return found === undefined ? [] : [[kind, found] as const]
    })
    const together = (joint.together.get(index) ?? []).map((other) => describe(splits, other))
    return { ...describe(splits, column), together, harm: Object.fromEntries(harm) }
  })
  return [...estimated, ...[...faults].map(([column, fault]) => ({ ...describe(splits, column), fault }))]
}

function describe(splits: readonly LedgerSplit[], column: LedgerColumn): ColumnOfLedger {
  const { flag = '', split = '', control = '', by = '' } = splits[column.split] ?? {}
  const { variation, treated: users, controls: controlUsers } = column
  return { flag, split, variation, control, by, users, controlUsers }
}

/** Undefined with too few affected users. */
function excessOf(joint: JointColumns, index: number, hits: HitsOf): ExcessHarm | undefined {
  const { columns, inverse, products } = joint
  const column = columns[index]
  const row = inverse[index]
  if (column === undefined || row === undefined) return undefined
  const of = (cell: number) => hits(column.split, cell)
  const count = (isTreated: boolean) =>
    column.cells.reduce((sum, cell) => sum + (cell.isTreated === isTreated ? of(cell.cell) : 0), 0)
  const [affected, controlAffected] = [count(true), count(false)]
  if (affected + controlAffected < fewestAffected) return undefined

  const moments = columns.map((other) => momentOf(other, of))
  const effect = moments.reduce((sum, { score }, other) => sum + (row[other] ?? 0) * score, 0)
  // Of two columns, in proportion to the product of their weights.
  const scales = moments.map(({ spread }, other) => Math.sqrt(spread / (products[other]?.[other] || 1)))
  let variance = 0
  for (const [one, left] of row.entries())
    for (const [other, right] of row.entries())
      variance += left * right * (products[one]?.[other] ?? 0) * (scales[one] ?? 0) * (scales[other] ?? 0)

  const { treated: users, controls } = column
  const prior = usual * Math.max(affected / users, controlAffected / controls)
  if (!(variance > 0) || !(prior > 0)) return undefined
  const reach = (level: number) =>
    users * criticalMultiplier({ variance, prior, level }) * Math.sqrt(variance)
  const estimate = users * effect
  const own = reach(ledgerLevel / 2)
  return {
    ...{ affected, controlAffected, estimate, lower: estimate - own, upper: estimate + own },
    confirmed: Math.max(0, estimate - reach(ledgerLevel / columns.length)),
  }
}

/** The sum of weight times outcome, around the mean of each epoch, and of its squares: at least that without an effect. */
function momentOf({ cells }: LedgerColumn, hits: (cell: number) => number) {
  let [score, spread, pooled] = [0, 0, 0]
  for (const epoch of new Set(cells.map((cell) => cell.epoch))) {
    const both = cells.filter((cell) => cell.epoch === epoch)
    const users = both.reduce((sum, cell) => sum + cell.users, 0)
    if (users === 0) continue
    const mean = both.reduce((sum, { cell }) => sum + hits(cell), 0) / users
    for (const { cell, weight, users: own } of both) {
      const hit = hits(cell)
      score += weight * (hit - mean * own)
      spread += weight ** 2 * (hit * (1 - 2 * mean) + mean ** 2 * own)
      pooled += weight ** 2 * own * mean * (1 - mean)
    }
  }
  return { score, spread: Math.max(spread, pooled) }
}
