import { expect, test } from 'vitest'
import { type RecordingOrder, ratesOf } from './chance.ts'

const base = { replay: 5, profile: 1 }
const order = (of: Partial<RecordingOrder>): RecordingOrder => ({ replay: 60, profile: 20, ...of })
const reads = [{ flag: 'checkout', variation: 'one-page' }]

test('a session that matches no order keeps its rates', () => {
  expect(ratesOf([], base, {})).toEqual(base)
  expect(ratesOf([order({ flag: 'checkout', variation: 'steps' })], base, { reads })).toEqual(base)
  expect(ratesOf([order({ page: '/cart' })], base, { page: '/', path: '/cart' })).toEqual(base)
  expect(ratesOf([order({ version: '2' })], base, {})).toEqual(base)
})

test('of the orders that a session matches, the highest rates apply', () => {
  const orders = [
    order({ flag: 'checkout', variation: 'one-page', replay: 30 }),
    order({ page: '/cart', profile: 0.5 }),
    order({ version: '2', replay: 100 }),
  ]
  expect(ratesOf(orders, base, { reads, page: '/cart' })).toEqual({ replay: 60, profile: 20 })
  expect(ratesOf(orders, base, { reads })).toEqual({ replay: 30, profile: 20 })
  expect(ratesOf(orders, { replay: 80, profile: 50 }, { page: '/cart' })).toEqual({ replay: 80, profile: 50 })
})

test('every member of an order must match', () => {
  const one = [order({ flag: 'checkout', variation: 'one-page', page: '/cart/:id', version: '2' })]
  const seen = { reads, path: '/cart/17', version: '2' }
  expect(ratesOf(one, base, seen)).toEqual({ replay: 60, profile: 20 })
  expect(ratesOf(one, base, { ...seen, version: '1' })).toEqual(base)
  expect(ratesOf([order({ device: 'tablet' })], base, { device: 'mobile' })).toEqual(base)
  expect(ratesOf([order({ device: 'tablet' })], base, { device: 'tablet' })).toEqual({
    replay: 60,
    profile: 20,
  })
  expect(ratesOf(one, base, { ...seen, path: '/cart' })).toEqual(base)
  expect(ratesOf(one, base, { ...seen, path: '/cart/' })).toEqual(base)
  expect(ratesOf(one, base, { ...seen, path: '/cart/17/items' })).toEqual(base)
})
