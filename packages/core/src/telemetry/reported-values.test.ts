import { expect, test } from 'vitest'
import { addReport, type Report, type ReportedValue, valueAt } from './reported-values.ts'

const report = (value: string, at: number, more: Partial<Report> = {}): Report => ({
  value,
  since: at,
  at,
  userKey: '',
  anonymousId: 'browser',
  view: 'v1',
  ...more,
})

function reported(...reports: Report[]): ReportedValue[] {
  const all: ReportedValue[] = []
  for (const each of reports) addReport(all, each)
  return all
}

const at = (all: ReportedValue[], moment: number, userKey = '') =>
  valueAt(all, { at: moment, userKey })?.value

test('a value is in force from its report until the next one', () => {
  const all = reported(report('a', 10), report('b', 30))
  expect([5, 10, 29, 30, 99].map((moment) => at(all, moment))).toEqual([undefined, 'a', 'a', 'b', 'b'])
})

test('late reports are inserted in order', () => {
  const inOrder = reported(report('a', 10), report('b', 30), report('a', 50))
  const mixed = reported(report('a', 50), report('b', 30), report('a', 10))
  for (const moment of [9, 10, 29, 30, 49, 50]) expect(at(mixed, moment)).toBe(at(inOrder, moment))
})

test('flags of a view are in force from its start, or since they were reported in it', () => {
  expect(at(reported(report('a', 90, { since: 10 })), 10)).toBe('a')
  const turned = reported(report('a', 50), report('b', 90, { since: 10 }))
  expect([50, 51].map((moment) => at(turned, moment))).toEqual(['a', 'b'])
})

test('a late, older report of a view does not undo a newer one', () => {
  const all = reported(report('b', 90), report('a', 40, { since: 10 }))
  expect([10, 89, 90].map((moment) => at(all, moment))).toEqual(['a', 'a', 'b'])
})

test('of two values at the same time the first wins', () => {
  expect(at(reported(report('a', 10), report('b', 10)), 10)).toBe('a')
})

test('a value belongs to the user who was signed in', () => {
  const all = reported(report('a', 10), report('a', 20, { userKey: 'anna' }))
  expect(all).toMatchObject([{ from: 10, until: 20, userKey: 'anna' }])
  expect(at(all, 30, 'anna')).toBe('a')
  expect(at(all, 30)).toBe('a')
  expect(at(all, 30, 'ben')).toBeUndefined()
  addReport(all, report('a', 40, { userKey: 'ben' }))
  expect(all).toHaveLength(2)
  expect(at(all, 50, 'ben')).toBe('a')
})

test('the reporting views are known, and changes are bounded', () => {
  const all = reported(report('a', 10), report('a', 20, { view: 'v2' }))
  expect(all[0]?.views).toEqual(['v1', 'v2'])
  const many = reported(...Array.from({ length: 100 }, (_, index) => report(String(index % 2), index)))
  expect(many).toHaveLength(16)
})
