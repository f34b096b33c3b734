import { expect, test } from 'vitest'
import { culpritText, issueWordOf, shareWords, titleOf, variationText } from './issue-words.ts'

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
  expect(titleOf({ type: '', message: '' })).toBe('Error without a message')
})

test('a suspect is named with the users it is counted in', () => {
  const lift = {
    flag: 'checkout',
    variation: 'hybrid',
    and: null,
    users: 1220,
    hits: 31,
    otherUsers: 221,
    otherHits: 6,
    ratio: 5.23,
    lower: 2.1,
    upper: 12.94,
  }
  expect(shareWords(lift)).toBe('31 of 1,220 users, otherwise 6 of 221')
  expect(variationText(lift)).toBe('checkout = hybrid')
  const both = { ...lift, and: { flag: 'banner', variation: 'on' } }
  expect(variationText(both)).toBe('checkout = hybrid and banner = on')
})

test('a place is told without the address of the site', () => {
  expect(culpritText('q in https://shop.example/assets/app.js')).toBe('q in /assets/app.js')
  expect(culpritText('https://shop.example/app.js')).toBe('/app.js')
})
