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

test('the exact key comes first, then what begins like it, then what holds it', () => {
  expect(labels('checkout')).toEqual(['checkout', 'checkout-v2', 'old-checkout', 'express-pay'])
})

test('what was used leads among equal matches, and never goes before a better one', () => {
  expect(labels('checkout', ['express-pay'])).toEqual([
    'checkout',
    'checkout-v2',
    'express-pay',
    'old-checkout',
  ])
})

test('letters in order are enough, and come last', () => {
  expect(labels('chkt')).toEqual(['old-checkout', 'checkout-v2', 'checkout', 'cheap-keyboards-out'])
})

test('without a text the recent ones lead and nothing is left out', () => {
  expect(labels('', ['search', 'checkout'])).toEqual([
    'search',
    'checkout',
    'old-checkout',
    'checkout-v2',
    'express-pay',
    'cheap-keyboards-out',
  ])
})

test('signs of regular expressions are only signs', () => {
  expect(labels('(.*')).toEqual([])
})
