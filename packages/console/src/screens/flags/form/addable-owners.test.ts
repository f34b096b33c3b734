import { limits } from '@telltale/core/limits'
import { expect, test } from 'vitest'
import { addableOwners } from './addable-owners.ts'

test('accounts and teams are limited apart', () => {
  const people = Array.from({ length: limits.ownersPerFlag + 1 }, (_, index) => `p${index}`)
  const candidates = [
    ...people.map((id) => ({ id, name: id, isTeam: false })),
    { id: 't1', name: 'Payments', isTeam: true },
  ]
  const add = (owners: string[], ownerTeams: string[]) =>
    addableOwners({ owners, ownerTeams }, candidates).map(({ id }) => id)
  expect(add(people.slice(0, -1), [])).toEqual(['t1'])
  expect(add(people.slice(0, -2), ['t1'])).toEqual(people.slice(-2))
})
