import { expect, test } from 'vitest'
import type { Tile } from '../../api/dashboards.ts'
import { differencesOf, duplicateTile, moveTile, resizeTile } from './arrange.ts'

const tile = (id: string, more: Partial<Tile> = {}): Tile =>
  ({
    id,
    title: '',
    width: 6,
    height: 'medium',
    kind: 'text',
    text: id,
    ...more,
  }) as Tile
const tiles = ['a', 'b', 'c'].map((id) => tile(id))
const order = (all: readonly Tile[]) => all.map(({ id }) => id).join('')

test('a tile moves to a place among the others, never beyond the ends', () => {
  expect(order(moveTile(tiles, 'a', 2))).toBe('bca')
  expect(order(moveTile(tiles, 'c', 0))).toBe('cab')
  expect(order(moveTile(tiles, 'c', 9))).toBe('abc')
  expect(order(moveTile(tiles, 'a', -1))).toBe('abc')
  expect(order(moveTile(tiles, 'gone', 1))).toBe('abc')
})

test('a tile grows and shrinks by steps, up to the largest and down to the smallest', () => {
  expect(resizeTile(tile('a'), { width: 1 })).toMatchObject({ width: 8, height: 'medium' })
  expect(resizeTile(tile('a', { width: 12 }), { width: 1 }).width).toBe(12)
  expect(resizeTile(tile('a', { height: 'small' }), { height: -1 }).height).toBe('small')
})

test('a copy follows its tile and has its own id', () => {
  const copied = duplicateTile(tiles, 'b')
  expect(copied).toHaveLength(4)
  expect(copied[2]).toMatchObject({ kind: 'text', text: 'b' })
  expect(new Set(copied.map(({ id }) => id)).size).toBe(4)
})

test('differences name tiles that were added, changed and removed, whatever the order of members', () => {
  const reordered = { text: 'a', kind: 'text', height: 'medium', width: 6, title: '', id: 'a' } as Tile
  const after = [reordered, tile('b', { title: 'New' }), tile('d')]
  expect(differencesOf(tiles, after).map(({ id, kind }) => `${id} ${kind}`)).toEqual([
    'b changed',
    'd added',
    'c removed',
  ])
})
