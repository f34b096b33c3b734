import { expect, test } from 'vitest'
import { measuredText } from './measured-text.ts'

const users = { treatment: 591, control: 1_114 }

test('a metric of all users so far has their numbers; one of some of them names both', () => {
  expect(measuredText(users, users)).toBe('591 and 1,114 users')
  expect(measuredText({ treatment: 580, control: 1_114 }, users)).toBe(
    'Measured on 580 of 591 and 1,114 of 1,114 users',
  )
})
