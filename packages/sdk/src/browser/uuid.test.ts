import { expect, test } from 'vitest'
import { createUuid } from './uuid.ts'

test('ids sort by time and contain their kind', () => {
  const early = createUuid(1_700_000_000_000.7)
  expect(early).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-b[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(createUuid(1_700_000_000_001) > early).toBe(true)
  expect(new Set(Array.from({ length: 1_000 }, () => createUuid())).size).toBe(1_000)
})
