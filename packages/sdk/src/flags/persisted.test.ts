import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readKept, writeKept } from './persisted.ts'

const kept = new Map<string, string>()
const storage = {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, text: string) => kept.set(name, text),
  removeItem: (name: string) => kept.delete(name),
}
const answer = { flags: [{ key: 'banner', value: 'Hello' }] }

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a stored answer is read for its subject only, and does not contain the subject', () => {
  writeKept('place', 'ada@example.com', ['"tag"', answer])
  expect(readKept('place', 'ada@example.com')).toEqual(['"tag"', answer])
  expect(readKept('place', 'grace@example.com')).toEqual([])
  expect(readKept('elsewhere', 'ada@example.com')).toEqual([])
  expect([...kept.values()].join()).not.toContain('ada')
})

test('an answer older than a month is gone', () => {
  vi.useFakeTimers()
  writeKept('place', 'ada', [null, answer])
  vi.setSystemTime(Date.now() + 31 * 86_400_000)
  expect(readKept('place', 'ada')).toEqual([])
})

test.each(['', '{', 'null', '[]', '{}', '[2,9e15,"0.0",null,{}]'])('%j in storage is ignored', (text) => {
  kept.set('place', text)
  expect(readKept('place', '')).toEqual([])
})

test('without space an older answer is removed', () => {
  writeKept('place', 'ada', [null, answer])
  vi.stubGlobal('localStorage', {
    ...storage,
    setItem: () => {
      throw new Error('full')
    },
  })
  writeKept('place', 'ada', [null, { flags: [] }])
  expect(readKept('place', 'ada')).toEqual([])
})
