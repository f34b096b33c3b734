import { expect, test } from 'vitest'
import { isRegression, issueAfter } from './issue.ts'

const resolution = { at: new Date('2026-05-01T12:00:00Z'), tolerated: ['1.0', '1.1'] }
const later = new Date('2026-05-01T13:00:00Z')

test('only what was resolved can come back', () => {
  const states = ['unresolved', 'resolved', 'regressed', 'ignored'] as const
  expect(states.filter((state) => issueAfter(state, 'regress') === 'regressed')).toEqual(['resolved'])
})

test('what is ignored stays so until somebody reopens it', () => {
  expect(issueAfter('ignored', 'resolve')).toBeUndefined()
  expect(issueAfter('ignored', 'reopen')).toBe('unresolved')
})

test('the version it was resolved in may go on failing, and a later one brings it back', () => {
  expect(isRegression(resolution, { version: '1.1', at: later })).toBe(false)
  expect(isRegression(resolution, { version: '1.2', at: later })).toBe(true)
})

test('a version that was never seen brings it back even by a clock that is slow', () => {
  expect(isRegression(resolution, { version: '1.2', at: new Date('2026-05-01T11:00:00Z') })).toBe(true)
})

test('without a version, what happened after it was resolved brings it back', () => {
  expect(isRegression(resolution, { version: '', at: later })).toBe(true)
  expect(isRegression(resolution, { version: '', at: new Date('2026-05-01T11:00:00Z') })).toBe(false)
})
