import { expect, test } from 'vitest'
import { allotIds, idOf, uuidOf } from './wire-ids.ts'

const names = Array.from({ length: 200_000 }, (_, index) => `flag-${index}`)

test('ids are unique and fit into 31 bits, even for names with equal hashes', () => {
  expect(new Set(names.map(idOf)).size).toBeLessThan(names.length)
  const ids = [...allotIds(names).values()]
  expect(new Set(ids).size).toBe(names.length)
  expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true)
})

test('an imported id is never reused, whatever the order', () => {
  const first = idOf('flag-1')
  const ids = allotIds(['flag-2', 'flag-1'], [first])
  expect(ids.get('flag-1')).not.toBe(first)
  expect(allotIds(['flag-1', 'flag-2'], [first])).toEqual(ids)
})

test('UUIDs have version 8 and are deterministic', () => {
  expect(uuidOf('variant', 'a')).toBe(uuidOf('variant', 'a'))
  expect(uuidOf('variant', 'a')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})
