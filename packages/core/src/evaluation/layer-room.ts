// Where an experiment has room in a layer. Ranges that others hold never move, so room may be in several pieces.

import { limits } from '../limits.ts'
import { firstOf, outside, type Piece, sizeOf, toSet } from './positions.ts'

/** The free positions, in ascending order. `held` by running experiments. */
export function roomOf(held: readonly Piece[]): Piece[] {
  return outside([[0, limits.weightTotal]], toSet(held))
}

/** The first free positions of that size; undefined if there are not as many. */
export function reserveIn(held: readonly Piece[], size: number): Piece[] | undefined {
  const room = roomOf(held)
  return sizeOf(room) < size ? undefined : toSet(firstOf(room, size))
}
