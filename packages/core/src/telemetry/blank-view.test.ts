import { expect, test } from 'vitest'
import type { EventOf } from '../contract/events.ts'
import { blankFor } from './blank-view.ts'

const chrome = { browser: 'Chrome', browserVersion: '130' }
const left = {
  kind: 'view_state',
  id: '0190b3a4-0000-7000-8000-000000000001',
  at: 9_000,
  context: 0,
  rev: 3,
  startedAt: 1_000,
  duration: 8_000,
  active: false,
  exit: 'unload',
  vitals: { TTFB: 80 },
  actions: 0,
  resources: 4,
  errors: 1,
  longFrames: 0,
  frustrations: 0,
} satisfies EventOf<'view_state'>
const blank = (change: Partial<EventOf<'view_state'>> = {}, browser = chrome) =>
  blankFor({ ...left, ...change }, browser)

test('a loaded page without a paint until the user left', () => {
  expect(blank()).toBe(8_000)
  expect(blank({ exit: 'hidden', vitals: { TTFB: 80, hidden: 6_000 } })).toBe(6_000)
})

test.each<[string, Partial<EventOf<'view_state'>>]>([
  ['something was painted', { vitals: { TTFB: 80, FCP: 900 } }],
  ['something was clicked', { actions: 1 }],
  ['left at once', { duration: 4_999 }],
  ['opened in the background', { vitals: { TTFB: 80, hidden: 0 } }],
  ['hidden before it could paint, and seen later', { vitals: { TTFB: 80, hidden: 1_200 }, duration: 60_000 }],
  ['a route of a page that was loaded before', { vitals: {} }],
])('%s: not blank', (_what, change) => {
  expect(blank(change)).toBeUndefined()
})

test('a page that is still open may yet paint', () => {
  const { exit: _exit, ...open } = left
  expect(blankFor(open, chrome)).toBeUndefined()
})

test('browsers without paint timing report nothing', () => {
  expect(blank({}, { browser: 'Firefox', browserVersion: '83' })).toBeUndefined()
  expect(blank({}, { browser: 'Firefox', browserVersion: '84' })).toBe(8_000)
  expect(blank({}, { browser: '', browserVersion: '' })).toBe(8_000)
})
