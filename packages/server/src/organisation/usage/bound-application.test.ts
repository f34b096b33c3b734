import { expect, test } from 'vitest'
import { createBoundApplication } from './bound-application.ts'

const day = '2026-05-01'

test('applications past a number count together, those known do not, and a new day begins again', () => {
  const bound = createBoundApplication(2)
  const of = (application: string, on = day, environment = 'production') =>
    bound({ environment, application, day: on })
  expect([of('shop'), of('checkout'), of('made-up'), of('shop'), of('')]).toEqual([
    'shop',
    'checkout',
    '(other)',
    'shop',
    '',
  ])
  expect(of('made-up', day, 'staging')).toBe('made-up')
  expect(of('made-up', '2026-05-02')).toBe('made-up')
})

test('the common name takes no room', () => {
  const bound = createBoundApplication(1)
  const of = (application: string) => bound({ environment: 'production', application, day })
  expect([of('(other)'), of('shop'), of('checkout')]).toEqual(['(other)', 'shop', '(other)'])
})
