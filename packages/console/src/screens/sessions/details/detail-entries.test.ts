import { expect, test } from 'vitest'
import type { ReplayDetail } from '../../../api/replays.ts'
import { consoleEntries, findEntries, networkEntries } from './detail-entries.ts'
import { formatJson } from './detail-words.ts'

const start = Date.parse('2026-11-01T10:00:00.000Z')
const at = (offset: number) => new Date(start + offset).toISOString()
const none = { message: null, request: null, left: null }
const tab = '0199f7a0-0000-7000-8000-000000000001'

const said = (offset: number, level: 'debug' | 'info' | 'warn' | 'error', text: string): ReplayDetail => ({
  ...none,
  kind: 'console',
  tab,
  at: at(offset),
  message: { level, text, args: [] },
})
const requested = (offset: number, url: string, status = 200): ReplayDetail => {
  const message = { headers: [], body: { state: 'none' as const, size: 0, mime: '', text: '' } }
  return {
    ...none,
    kind: 'request',
    tab,
    at: at(offset + 50),
    request: {
      kind: 'fetch',
      method: 'GET',
      url,
      status,
      startedAt: at(offset),
      duration: 50,
      request: message,
      response: message,
    },
  }
}

test('messages are in order of time, with their level, and found by text and severity', () => {
  const entries = consoleEntries([], [said(300, 'error', 'broken'), said(100, 'info', 'cart of 3')], start)
  expect(entries.map(({ title, tone, at: when }) => [title, tone, when])).toEqual([
    ['cart of 3', 'plain', 100],
    ['broken', 'bad', 300],
  ])
  expect(findEntries(entries, { find: 'CART' })).toHaveLength(1)
  expect(findEntries(entries, { level: 'warn' }).map(({ title }) => title)).toEqual(['broken'])
  expect(findEntries(entries, { find: 'nothing' })).toEqual([])
})

test('what was left out is said where it was', () => {
  const left: ReplayDetail = {
    ...none,
    kind: 'left-out',
    tab,
    at: at(200),
    left: { of: 'console', count: 37 },
  }
  expect(consoleEntries([], [left], start)).toMatchObject([
    { title: expect.stringMatching(/^37.messages left out$/), tone: 'warn' },
  ])
  expect(networkEntries([], [left], start)).toEqual([])
})

test('requests without an event are entries of their own, and failed ones are found', () => {
  const details = [requested(500, 'https://a.example/x'), requested(100, 'https://a.example/y', 500)]
  const entries = networkEntries([], details, start)
  expect(entries.map(({ title, at: when }) => [title, when])).toEqual([
    ['GET /y 500', 100],
    ['GET /x 200', 500],
  ])
  expect(findEntries(entries, { requests: 'failed' }).map(({ title }) => title)).toEqual(['GET /y 500'])
  expect(findEntries(entries, { requests: 'details' })).toHaveLength(2)
})

test('JSON gets line breaks, other text stays', () => {
  expect(formatJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  for (const text of ['{"a":', 'plain', '12', '']) expect(formatJson(text)).toBe(text)
})
