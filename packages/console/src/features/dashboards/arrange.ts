// Changes of the arrangement: pure, so that every way to move a tile does the same.

import type { Tile } from '../../api/dashboards.ts'
import { newTileId } from './new-tile.ts'

const widths: readonly Tile['width'][] = [3, 4, 6, 8, 12]
const heights: readonly Tile['height'][] = ['small', 'medium', 'large']

/** To this place, counted without the tile itself. */
export function moveTile(tiles: readonly Tile[], id: string, to: number): Tile[] {
  const tile = tiles.find((one) => one.id === id)
  if (tile === undefined) return [...tiles]
  const others = tiles.filter((one) => one.id !== id)
  const place = Math.max(0, Math.min(others.length, to))
  return [...others.slice(0, place), tile, ...others.slice(place)]
}

export function resizeTile(tile: Tile, by: { width?: 1 | -1; height?: 1 | -1 }): Tile {
  return {
    ...tile,
    width: step(widths, tile.width, by.width ?? 0),
    height: step(heights, tile.height, by.height ?? 0),
  }
}

/** The next one, or the last one there is. */
function step<Value>(all: readonly Value[], now: Value, by: number): Value {
  return all[Math.max(0, Math.min(all.length - 1, all.indexOf(now) + by))] ?? now
}

/** The copy follows the tile. */
export function duplicateTile(tiles: readonly Tile[], id: string): Tile[] {
  return tiles.flatMap((tile) => (tile.id === id ? [tile, { ...tile, id: newTileId() }] : [tile]))
}

export interface TileDifference {
  readonly id: string
  readonly tile: Tile
  readonly kind: 'added' | 'removed' | 'changed'
}

/** How the second arrangement differs from the first, apart from the order. */
export function differencesOf(before: readonly Tile[], after: readonly Tile[]): TileDifference[] {
  return [
    ...after.flatMap((tile): TileDifference[] => {
      const former = before.find(({ id }) => id === tile.id)
      if (former === undefined) return [{ id: tile.id, tile, kind: 'added' }]
      return isSame(former, tile) ? [] : [{ id: tile.id, tile, kind: 'changed' }]
    }),
    ...before
      .filter(({ id }) => !after.some((tile) => tile.id === id))
      .map((tile): TileDifference => ({ id: tile.id, tile, kind: 'removed' })),
  ]
}

/** Whatever the order of the members, which differs between the server and a form. */
const isSame = (one: Tile, other: Tile) => textOf(one) === textOf(other)
const textOf = (tile: Tile) => JSON.stringify(Object.entries(tile).toSorted(([a], [b]) => (a < b ? -1 : 1)))
