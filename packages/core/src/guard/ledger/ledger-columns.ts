// The comparisons of a ledger: one column per variation that a split compares with its control. A column has a weight
// for every cell: 1 with the variation, minus the odds of the variation with the control, otherwise 0 (Horvitz and
// Thompson 1952). Over the randomisation, weights sum to zero among users who visited the same epochs, whatever the time
// or the kind of users, so that a ramp or a rule confounds nothing.

import { isSplitWrong, type StageEvents } from '../../statistics/event-share.ts'
import {
  type Cell,
  type CellHits,
  cellOf,
  type HarmKind,
  type LedgerCounts,
  type LedgerSplit,
  movedCell,
  variationsOf,
  weightIn,
} from './ledger-counts.ts'

export interface LedgerColumn {
  /** Index of the split. */
  split: number
  variation: string
  cells: readonly WeightedCell[]
  treated: number
  controls: number
}

export interface WeightedCell {
  cell: Cell
  epoch: number
  isTreated: boolean
  weight: number
  users: number
}

export type ColumnFault = 'too-few-users' | 'split-wrong' | 'reassigned'

/** Fewer users in an arm: the normal approximation is not reliable. */
const fewestUsers = 100
/** A larger share of moved users: the ranges of the split were assigned anew. */
const mostMoved = 0.01

/** For every split, in their order, its variations without the control. */
export function columnsOf(splits: readonly LedgerSplit[], { pairs }: LedgerCounts): LedgerColumn[] {
  const users = new Map(
    pairs.flatMap((pair) => (pair.one === pair.other ? [[pair.one, pair.users] as const] : [])),
  )
  return splits.flatMap((split, index) =>
    variationsOf(split).flatMap((variation, arm): LedgerColumn[] => {
      if (arm === 0) return []
      const cells = split.epochs.flatMap((epoch, place): WeightedCell[] => {
        const [own, control] = [weightIn(epoch, variation), weightIn(epoch, split.control)]
        if (own === 0 || control === 0) return []
        return [arm, 0].map((side) => {
          const cell = cellOf({ split: index, epoch: place, arm: side })
          const isTreated = side !== 0
          return {
            ...{ cell, epoch: place, isTreated, weight: isTreated ? 1 : -own / control },
            users: users.get(cell) ?? 0,
          }
        })
      })
      const count = (isTreated: boolean) =>
        cells.reduce((sum, cell) => sum + (cell.isTreated === isTreated ? cell.users : 0), 0)
      return [{ split: index, variation, cells, treated: count(true), controls: count(false) }]
    }),
  )
}

/** Why a column cannot be estimated, for any kind of harm. */
export function faultOf(column: LedgerColumn, { pairs }: LedgerCounts): ColumnFault | undefined {
  const { split, treated, controls } = column
  if (Math.min(treated, controls) < fewestUsers) return 'too-few-users'
  const moved = movedCell(split)
  const lost = pairs.find(({ one, other }) => one === moved && other === moved)?.users ?? 0
  if (lost > mostMoved * (treated + controls)) return 'reassigned'
  return isSplitWrong(stagesOf(column)) ? 'split-wrong' : undefined
}

function stagesOf({ cells }: LedgerColumn): StageEvents[] {
  return cells.flatMap((cell): StageEvents[] => {
    if (!cell.isTreated) return []
    const control = cells.find((one) => one.epoch === cell.epoch && !one.isTreated)
    const odds = -(control?.weight ?? 0)
    return [{ treatment: cell.users, control: control?.users ?? 0, share: odds / (1 + odds) }]
  })
}

/** Affected users by cell, of each split. */
export type HitsOf = (split: number, cell: Cell) => number

export function hitsOfKind(hits: readonly CellHits[], kind: HarmKind): HitsOf {
  const known = new Map<number, Map<Cell, number>>()
  for (const hit of hits) {
    if (hit.kind !== kind) continue
    const ofSplit = known.get(hit.split) ?? new Map<Cell, number>()
    known.set(hit.split, ofSplit.set(hit.cell, (ofSplit.get(hit.cell) ?? 0) + hit.users))
  }
  return (split, cell) => known.get(split)?.get(cell) ?? 0
}
