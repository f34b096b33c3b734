import { expect, test } from 'vitest'
import { lifetimeChoices, lifetimeText } from './lifetime-choices.ts'

test('a lifetime has the largest whole unit', () => {
  expect([15, 60, 90, 720, 1_440, 20_160].map(lifetimeText)).toEqual([
    '15 minutes',
    '1 hour',
    '90 minutes',
    '12 hours',
    '1 day',
    '14 days',
  ])
})

test('a value that is no usual choice is in its place', () => {
  const labels = lifetimeChoices('idle', 45).map(({ label }) => label)
  expect(labels.slice(0, 4)).toEqual(['15 minutes', '30 minutes', '45 minutes', '1 hour'])
  expect(lifetimeChoices('idle', 60)).toHaveLength(10)
})
