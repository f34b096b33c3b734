import { expect, test } from 'vitest'
import { closest } from './closest.ts'

test('a mistyped word finds the one that was meant, and a strange one none', () => {
  const words = ['flags list', 'flags get', 'apply', 'plan', 'on']
  expect(closest('flags lst', words)).toBe('flags list')
  expect(closest('aply', words)).toBe('apply')
  expect(closest('paln', words)).toBeUndefined()
  expect(closest('deploy', words)).toBeUndefined()
  expect(closest('', words)).toBeUndefined()
})
