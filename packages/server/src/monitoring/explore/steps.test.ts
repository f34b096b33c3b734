import { expect, test } from 'vitest'
import { readSteps } from './steps.ts'

const bind = (value: unknown) => JSON.stringify(value)
const stepsOf = (from: number, to: number) =>
  readSteps({ from, to, timeZone: 'UTC' }, '1h').of({ bind }, 'ts')

test('a period without steps is queried without boundaries, which the store would reject', () => {
  expect(stepsOf(0, 7_200_000)).toContain('roundDown(')
  const long = Date.parse('0001-01-01T00:00:00Z')
  for (const [from, to] of [
    [0, 0],
    [0, long],
  ] as const)
    expect(stepsOf(from, to)).toBe('toUInt32(0)')
})
