import { expect, test } from 'vitest'
import {
  betweenText,
  culpritText,
  issueWordOf,
  oftenText,
  shareWords,
  standsOut,
  titleOf,
} from './issue-words.ts'

const now = Date.parse('2026-11-19T14:32:00Z')
const yesterday = '2026-11-18T15:00:00Z'
const before = '2026-11-11T15:00:00Z'

test('what nobody decided about is new for a day and known then', () => {
  expect(issueWordOf({ state: 'unresolved', firstSeenAt: yesterday }, now)).toBe('new')
  expect(issueWordOf({ state: 'unresolved', firstSeenAt: before }, now)).toBe('known')
  expect(issueWordOf({ state: 'regressed', firstSeenAt: yesterday }, now)).toBe('back')
  expect(issueWordOf({ state: 'ignored', firstSeenAt: yesterday }, now)).toBe('ignored')
})

test('a title is one line, and never nothing', () => {
  expect(titleOf({ type: 'TypeError', message: 'a\n  b' })).toBe('TypeError: a b')
  expect(titleOf({ type: '', message: 'Script error.' })).toBe('Script error.')
  expect(titleOf({ type: '', message: '' })).toBe('An error without a message')
})

test('a lift is told with its interval and the sessions it is of', () => {
  const lift = {
    ...{ flag: 'checkout', variation: 'hybrid', sessions: 1220, hits: 31, otherSessions: 221, otherHits: 6 },
    ...{ ratio: 5.23, lower: 2.1, upper: 12.94 },
  }
  expect(oftenText(lift)).toBe('5.2 times as often')
  expect(betweenText(lift)).toBe('2.1 to 13 times')
  expect(shareWords(lift)).toBe('31 of 1,220 sessions, otherwise 6 of 221')
  expect(standsOut(lift)).toBe(true)
  expect(standsOut({ ...lift, lower: 0.9 })).toBe(false)
  expect(standsOut({ ...lift, lower: 0.1, upper: 0.8 })).toBe(false)
})

test('how many times is not told where nobody can know', () => {
  const lift = {
    ...{ flag: 'checkout', variation: 'on', sessions: 182, hits: 58, otherSessions: 347, otherHits: 0 },
    ...{ ratio: 223, lower: 4.01, upper: 12_431 },
  }
  expect(oftenText(lift)).toBe('at least 4.0 times as often')
  expect(betweenText(lift)).toBe('4.0 times or more')
  expect(betweenText({ ...lift, lower: 1.02, upper: 5.3 })).toBe('1.02 to 5.3 times')
})

test('a place is told without the address of the site', () => {
  expect(culpritText('q in https://shop.example/assets/app.js')).toBe('q in /assets/app.js')
  expect(culpritText('https://shop.example/app.js')).toBe('/app.js')
})
