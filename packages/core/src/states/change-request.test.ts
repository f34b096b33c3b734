import { expect, test } from 'vitest'
import { changeRequestAfter, isUndecided } from './change-request.ts'

test('only approved requests can be applied', () => {
  const states = ['open', 'approved', 'conflicted', 'applied', 'declined', 'withdrawn'] as const
  expect(states.filter((state) => changeRequestAfter(state, 'apply') !== undefined)).toEqual(['approved'])
})

test('an update and a rebase void the approval', () => {
  expect(changeRequestAfter('approved', 'update')).toBe('open')
  expect(changeRequestAfter('conflicted', 'rebase')).toBe('open')
})

test('applied, declined and withdrawn requests cannot change', () => {
  expect((['applied', 'declined', 'withdrawn'] as const).filter(isUndecided)).toEqual([])
  expect((['open', 'approved', 'conflicted'] as const).filter(isUndecided)).toHaveLength(3)
})

test('a request in conflict is approved only after a rebase', () => {
  expect(changeRequestAfter('conflicted', 'approve')).toBeUndefined()
  expect(changeRequestAfter('open', 'conflict')).toBe('conflicted')
})
