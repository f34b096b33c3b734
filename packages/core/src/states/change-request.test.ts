import { expect, test } from 'vitest'
import { changeRequestAfter } from './change-request.ts'

test('only approved requests can be applied', () => {
  const states = ['open', 'approved', 'conflicted', 'applied', 'declined', 'withdrawn'] as const
  expect(states.filter((state) => changeRequestAfter(state, 'apply') !== undefined)).toEqual(['approved'])
})

test('an update and a rebase void the approval', () => {
  expect(changeRequestAfter('approved', 'update')).toBe('open')
  expect(changeRequestAfter('conflicted', 'rebase')).toBe('open')
})

test('applied, declined and withdrawn requests cannot change', () => {
  const actions = ['update', 'approve', 'decline', 'withdraw', 'apply', 'conflict', 'rebase', 'miss'] as const
  for (const state of ['applied', 'declined', 'withdrawn'] as const)
    expect(actions.map((action) => changeRequestAfter(state, action))).toEqual(actions.map(() => undefined))
})

test('a request in conflict is approved only after a rebase', () => {
  expect(changeRequestAfter('conflicted', 'approve')).toBeUndefined()
  expect(changeRequestAfter('open', 'conflict')).toBe('conflicted')
})
