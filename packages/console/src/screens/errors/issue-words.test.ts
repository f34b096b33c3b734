import { expect, test } from 'vitest'
import { culpritText, issueWordOf, shareWords, titleOf, variationText } from './issue-words.ts'

const now = Date.parse('2026-11-19T14:32:00Z')
const yesterday = '2026-11-18T15:00:00Z'
const before = '2026-11-11T15:00:00Z'

test('an undecided issue is new for a day, then ongoing', () => {
  expect(issueWordOf({ state: 'unresolved', firstSeenAt: yesterday }, now)).toBe('new')
  expect(issueWordOf({ state: 'unresolved', firstSeenAt: before }, now)).toBe('known')
  expect(issueWordOf({ state: 'regressed', firstSeenAt: yesterday }, now)).toBe('back')
  expect(issueWordOf({ state: 'ignored', firstSeenAt: yesterday }, now)).toBe('ignored')
})

test('a title is a single line and never empty', () => {
  expect(titleOf({ type: 'TypeError', message: 'a\n  b' })).toBe('TypeError: a b')
  expect(titleOf({ type: '', message: 'Script error.' })).toBe('Script error.')
  expect(titleOf({ type: '', message: '' })).toBe('Error without a message')
})

test('names a suspect with the number of users', () => {
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

test('a page is shown without its origin', () => {
  expect(culpritText('q in https://shop.example/assets/app.js')).toBe('q in /assets/app.js')
  expect(culpritText('https://shop.example/app.js')).toBe('/app.js')
})
