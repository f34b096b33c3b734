import { expect, test } from 'vitest'
import { changeOf, conflictsOf, rebase } from './segment-draft.ts'

const plan = (value: string) => ({
  match: 'all' as const,
  of: [{ attribute: 'plan', operator: 'equals' as const, value }],
})
const base = { name: 'Staff', description: '', when: plan('a') }

test('only what differs is sent', () => {
  expect(changeOf(base, { ...base, when: plan('a') })).toEqual({})
  expect(changeOf(base, { ...base, name: 'Crew ' })).toEqual({ name: 'Crew' })
  expect(changeOf(base, { ...base, when: plan('b') })).toEqual({ when: plan('b') })
})

test('after a concurrent save, the other changes are kept where mine do not overlap', () => {
  const mine = { ...base, when: plan('mine') }
  const theirs = { ...base, name: 'Crew', description: 'All of us', when: plan('theirs') }
  expect(rebase(base, mine, theirs)).toEqual({ ...theirs, when: plan('mine') })
  expect(conflictsOf(base, mine, theirs)).toEqual(['when'])
  expect(conflictsOf(base, mine, { ...theirs, when: plan('mine') })).toEqual([])
})
