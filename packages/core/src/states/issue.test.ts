import { expect, test } from 'vitest'
import { isRegression, issueAfter } from './issue.ts'

const resolution = { at: new Date('2026-05-01T12:00:00Z'), tolerated: ['1.0', '1.1'] }
const later = new Date('2026-05-01T13:00:00Z')

test('only resolved issues can regress', () => {
  const states = ['unresolved', 'resolved', 'regressed', 'ignored'] as const
  expect(states.filter((state) => issueAfter(state, 'regress') === 'regressed')).toEqual(['resolved'])
})

test('an ignored issue stays ignored until it is reopened', () => {
  expect(issueAfter('ignored', 'resolve')).toBeUndefined()
  expect(issueAfter('ignored', 'reopen')).toBe('unresolved')
})

test('the version it was resolved in may still fail, and a later one makes it regress', () => {
  expect(isRegression(resolution, { version: '1.1', at: later })).toBe(false)
  expect(isRegression(resolution, { version: '1.2', at: later })).toBe(true)
})

test('an unseen version makes it regress even with a slow clock', () => {
  expect(isRegression(resolution, { version: '1.2', at: new Date('2026-05-01T11:00:00Z') })).toBe(true)
})

test('without a version, an event after the resolution makes it regress', () => {
  expect(isRegression(resolution, { version: '', at: later })).toBe(true)
  expect(isRegression(resolution, { version: '', at: new Date('2026-05-01T11:00:00Z') })).toBe(false)
})
