// Assigns the positions of a split to its variations. A variation that grows keeps all its positions; only variations
// that shrink give some up, from their end. One that grows again first takes back the positions it had before, in
// order.

import type { Arm } from '../contract/flag-config.ts'
import { limits } from '../limits.ts'
import { backwards, firstOf, joined, outside, type Piece, sizeOf, toSet, within } from './positions.ts'

export interface ArmDraft {
  variation: string
  /** Of 100 000. */
  weight: number
}

export interface AssignedArm extends ArmDraft {
  ranges: Piece[]
  claims: Piece[]
}

interface Holder {
  variation: string
  weight: number
  held: Piece[]
  /** All positions it holds or has held, in the order it received them. */
  claims: Piece[]
}

type PreviousArm = Pick<Arm, 'variation' | 'ranges' | 'claims'>

/**
 * The arms for the next weights, in their order. A variation that is left out loses its claims; with weight 0 it keeps
 * them. The weights must sum to 100 000.
 */
export function assignRanges(
  previous: readonly PreviousArm[] | undefined,
  next: readonly ArmDraft[],
): AssignedArm[] {
  if (previous === undefined || !isWhole(previous)) return layOut(next)

  const staying = next.map(({ variation, weight }) =>
    holderOf(
      variation,
      weight,
      previous.find((arm) => arm.variation === variation),
    ),
  )
  const leaving = previous
    .filter((arm) => next.every(({ variation }) => variation !== arm.variation))
    .map((arm) => holderOf(arm.variation, 0, arm))

  move([...staying, ...leaving])
  const assigned = staying.map(toArm)
  const count = assigned.reduce((sum, { ranges }) => sum + ranges.length, 0)
  return count > limits.rangesPerSplit ? layOut(next) : assigned
}

function layOut(next: readonly ArmDraft[]): AssignedArm[] {
  let start = 0
  return next.map(({ variation, weight }) => {
    const held = joined([[start, start + weight]])
    start += weight
    return toArm({ variation, weight, held, claims: held })
  })
}

/** Whether every position belongs to exactly one arm. */
function isWhole(arms: readonly PreviousArm[]): boolean {
  const all = toSet(arms.flatMap(({ ranges }) => ranges))
  return all.length === 1 && all[0]?.[0] === 0 && sizeOf(all) === limits.weightTotal
}

function holderOf(variation: string, weight: number, arm: PreviousArm | undefined): Holder {
  const held = toSet(arm?.ranges ?? [])
  const claims = arm?.claims ?? []
  return { variation, weight, held, claims: [...claims, ...outside(held, toSet(claims))] }
}

function move(holders: Holder[]): void {
  const growing = holders.filter((holder) => lackOf(holder) > 0)
  const shrinking = holders.filter((holder) => lackOf(holder) < 0)

  // Positions that a growing variation held before are given first, so that the same users get it again.
  for (const taker of growing) {
    for (const claim of [...taker.claims]) {
      for (const giver of shrinking) give(giver, taker, within([claim], giver.held))
    }
  }
  for (const giver of shrinking) {
    for (const taker of growing) give(giver, taker, backwards(within(giver.claims, giver.held)))
  }
}

/** Moves as many of the wanted positions as the giver can spare and the taker lacks. */
function give(giver: Holder, taker: Holder, wanted: Piece[]): void {
  const given = firstOf(wanted, Math.min(-lackOf(giver), lackOf(taker)))
  if (given.length === 0) return
  giver.held = outside(giver.held, toSet(given))
  taker.held = toSet([...taker.held, ...given])
  taker.claims = [...taker.claims, ...outside(given, toSet(taker.claims))]
}

function lackOf({ weight, held }: Holder): number {
  return weight - sizeOf(held)
}

function toArm({ variation, weight, held, claims }: Holder): AssignedArm {
  // Claims held now precede those given up, so that a stop followed by a start gives back the same positions.
  const ordered = joined([...within(claims, held), ...outside(claims, held)])
  return { variation, weight, ranges: held, claims: ordered.slice(0, limits.rangesPerSplit) }
}
