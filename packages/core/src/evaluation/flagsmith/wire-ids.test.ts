import { expect, test } from 'vitest'
import { allotIds, idOf, uuidOf } from './wire-ids.ts'

const names = Array.from({ length: 200_000 }, (_, index) => `flag-${index}`)

test('ids of so many names that some hash alike are different, and fit into 31 bits', () => {
  expect(new Set(names.map(idOf)).size).toBeLessThan(names.length)
  const ids = [...allotIds(names).values()]
  expect(new Set(ids).size).toBe(names.length)
  expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true)
})

test('an id that an import brought is given to nothing else, and order does not matter', () => {
  const first = idOf('flag-1')
  const ids = allotIds(['flag-2', 'flag-1'], [first])
  expect(ids.get('flag-1')).not.toBe(first)
  expect(allotIds(['flag-1', 'flag-2'], [first])).toEqual(ids)
})

test('UUIDs are of version 8 and the same each time', () => {
  expect(uuidOf('variant', 'a')).toBe(uuidOf('variant', 'a'))
  expect(uuidOf('variant', 'a')).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  )
})
