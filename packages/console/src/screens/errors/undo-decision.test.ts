import { expect, test } from 'vitest'
import { undoOf } from './undo-decision.ts'

const issue = (id: string, more: object = {}) => ({
  id,
  state: 'unresolved' as const,
  assignee: null,
  ignoredUntil: null,
  ...more,
})

test('each issue returns to its previous state, equal ones in one request', () => {
  const until = '2026-11-20T00:00:00.000Z'
  const before = [
    issue('a'),
    issue('b', { state: 'regressed' }),
    issue('c', { state: 'ignored', ignoredUntil: until }),
    issue('d', { state: 'resolved' }),
  ]
  expect(undoOf(before, { state: 'resolved' })).toEqual([
    { decision: { state: 'unresolved' }, issues: ['a', 'b'] },
    { decision: { state: 'ignored', ignoredUntil: until }, issues: ['c'] },
  ])
})

test('an assignment returns to the previous member, or to none', () => {
  const before = [issue('a'), issue('b', { assignee: { id: 'mara', name: 'Mara' } })]
  expect(undoOf(before, { assignee: 'noa' })).toEqual([
    { decision: { assignee: null }, issues: ['a'] },
    { decision: { assignee: 'mara' }, issues: ['b'] },
  ])
})
