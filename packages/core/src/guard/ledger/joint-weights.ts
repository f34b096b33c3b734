// How columns of a ledger depend on each other, from the users of pairs of cells. Splits with their own salt are
// independent but for chance; a flag that needs another one, or two splits that bucket alike, are not.

import { invert } from '../../statistics/linear-system.ts'
import type { LedgerColumn } from './ledger-columns.ts'
import type { Cell, CellPair } from './ledger-counts.ts'

export interface JointColumns {
  columns: readonly LedgerColumn[]
  /** Columns with nearly the same users as the one of that index; they have no estimate apart from it. */
  together: ReadonlyMap<number, readonly LedgerColumn[]>
  /** Inverse of the sums of weight times treatment: row by column. */
  inverse: readonly (readonly number[])[]
  /** Sums of weight times weight. */
  products: readonly (readonly number[])[]
}

/** From this squared similarity on, two columns cannot be told apart. */
const alike = 0.9

export function joinColumns(given: readonly LedgerColumn[], pairs: readonly CellPair[]): JointColumns {
  let columns = given.toSorted((one, other) => other.treated - one.treated)
  const together = new Map<LedgerColumn, LedgerColumn[]>()
  for (;;) {
    const { treatments, products } = sumPairs(columns, pairs)
    const twin = findTwin(treatments)
    const inverted = twin === undefined ? invert(treatments) : { dependent: twin.of }
    if ('inverse' in inverted) {
      const shared = columns.flatMap((column, index) => {
        const others = together.get(column)
        return others === undefined ? [] : [[index, others] as const]
      })
      return { columns, together: new Map(shared), inverse: inverted.inverse, products }
    }
    const left = columns[inverted.dependent]
    const kept = columns[twin?.with ?? closestTo(treatments, inverted.dependent)]
    if (left === undefined || kept === undefined)
      return { columns: [], together: new Map(), inverse: [], products: [] }
    together.set(kept, [...(together.get(kept) ?? []), left, ...(together.get(left) ?? [])])
    together.delete(left)
    columns = columns.filter((column) => column !== left)
  }
}

type Matrix = number[][]

/**
 * `treatments`: over users, the weight of the row's column times the treatment of the other, around its mean among the
 * row's users of each epoch. A flag that all of them have, because the row's flag needs it, so differs for none.
 */
function sumPairs(columns: readonly LedgerColumn[], pairs: readonly CellPair[]) {
  const zeros = (): Matrix => columns.map(() => columns.map(() => 0))
  const [treatments, products] = [zeros(), zeros()]
  const places = placesIn(columns)
  const addPair = (one: Cell, other: Cell, users: number) => {
    for (const row of places.get(one) ?? [])
      for (const { index: column, weight, isTreated } of places.get(other) ?? []) {
        add(products, row.index, { column, value: row.weight * weight * users })
        const around = row.weight - row.meanWeight
        if (isTreated) add(treatments, row.index, { column, value: around * users })
      }
  }
  for (const { one, other, users } of pairs) {
    addPair(one, other, users)
    if (one !== other) addPair(other, one, users)
  }
  return { treatments, products }
}

interface CellOfColumn {
  index: number
  weight: number
  /** Among the users of the column in this epoch: 0 but for chance. */
  meanWeight: number
  isTreated: boolean
}

function placesIn(columns: readonly LedgerColumn[]): ReadonlyMap<Cell, readonly CellOfColumn[]> {
  const places = new Map<Cell, CellOfColumn[]>()
  for (const [index, { cells }] of columns.entries())
    for (const { cell, epoch, weight, isTreated } of cells) {
      const both = cells.filter((one) => one.epoch === epoch)
      const users = both.reduce((sum, one) => sum + one.users, 0)
      const all = both.reduce((sum, one) => sum + one.weight * one.users, 0)
      const found = { index, weight, meanWeight: users > 0 ? all / users : 0, isTreated }
      places.set(cell, [...(places.get(cell) ?? []), found])
    }
  return places
}

function add(matrix: Matrix, row: number, { column, value }: { column: number; value: number }): void {
  const cells = matrix[row]
  if (cells !== undefined) cells[column] = (cells[column] ?? 0) + value
}

const at = (matrix: readonly (readonly number[])[], row: number, column: number) => matrix[row]?.[column] ?? 0

/** 1 for columns with the same users, 0 for independent ones, and if one is part of the other's treatment. */
function similarity(treatments: readonly (readonly number[])[], one: number, other: number): number {
  const own = at(treatments, one, one) * at(treatments, other, other)
  return own > 0 ? (at(treatments, one, other) * at(treatments, other, one)) / own : 0
}

/** The first column that is like an earlier one, which has more users. */
function findTwin(treatments: readonly (readonly number[])[]): { of: number; with: number } | undefined {
  for (let of = 1; of < treatments.length; of += 1)
    for (let earlier = 0; earlier < of; earlier += 1)
      if (similarity(treatments, of, earlier) > alike) return { of, with: earlier }
  return undefined
}

function closestTo(treatments: readonly (readonly number[])[], index: number): number {
  let best = index === 0 ? 1 : 0
  for (const other of treatments.keys())
    if (
      other !== index &&
      Math.abs(similarity(treatments, index, other)) > Math.abs(similarity(treatments, index, best))
    )
      best = other
  return best
}
