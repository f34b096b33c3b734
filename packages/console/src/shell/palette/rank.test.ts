import { expect, test } from 'vitest'
import type { PaletteEntry } from './entry.ts'
import { rankEntries } from './rank.ts'

const entry = (label: string, note?: string): PaletteEntry => ({
  id: label,
  group: 'Flags',
  icon: 'flag',
  label,
  run: () => undefined,
  ...(note ? { note } : {}),
})
const entries = [
  entry('old-checkout'),
  entry('checkout-v2', 'One-page checkout'),
  entry('checkout'),
  entry('express-pay', 'Apple Pay at checkout'),
  entry('cheap-keyboards-out'),
  entry('search'),
]
const labels = (text: string, recent: string[] = []) =>
  rankEntries(entries, text, recent).map(({ label }) => label)

test('an exact key is first, then prefixes, then other matches', () => {
  expect(labels('checkout')).toEqual(['checkout', 'checkout-v2', 'old-checkout', 'express-pay'])
})

test('recently used items are first among equal matches, but never before better ones', () => {
  expect(labels('checkout', ['express-pay', 'old-checkout'])).toEqual([
    'checkout',
    'checkout-v2',
    'old-checkout',
    'express-pay',
  ])
  expect(labels('che', ['cheap-keyboards-out'])).toEqual([
    'cheap-keyboards-out',
    'checkout-v2',
    'checkout',
    'old-checkout',
    'express-pay',
  ])
})

test('words match in any order', () => {
  expect(labels('pay express')).toEqual(['express-pay'])
})

test('of two entries with one id the first is shown', () => {
  const [first] = entries
  const twice = [...entries, { ...entry('old-checkout'), label: 'old-checkout…' }]
  expect(rankEntries(twice, 'old', [])).toEqual([first])
})

test('letters in order match only where nothing matches better', () => {
  expect(labels('search')).toEqual(['search'])
  expect(labels('chkt')).toEqual(['old-checkout', 'checkout-v2', 'checkout', 'cheap-keyboards-out'])
})

test('without a query, recent items are first and all are listed', () => {
  expect(labels('', ['search', 'checkout'])).toEqual([
    'search',
    'checkout',
    'old-checkout',
    'checkout-v2',
    'express-pay',
    'cheap-keyboards-out',
  ])
})

test('special characters of regular expressions match literally', () => {
  expect(labels('(.*')).toEqual([])
})
