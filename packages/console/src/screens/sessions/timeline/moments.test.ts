import { expect, test } from 'vitest'
import type { TimelineEvent } from '../../../api/sessions.ts'
import { layOutLanes } from './lanes.ts'
import { whyLost } from './lost-session.ts'
import { type Moment, nextTrouble, toMoments } from './moments.ts'
import { printPlayhead, readPlayhead } from './playhead.ts'

const start = Date.UTC(2026, 10, 21, 14, 30)
const empty: TimelineEvent = {
  id: '',
  kind: 'view',
  at: '',
  receivedAt: '',
  session: null,
  view: null,
  tab: null,
  action: null,
  userKey: '',
  anonymousId: '',
  service: '',
  version: '',
  page: '',
  url: '',
  country: '',
  browser: '',
  browserVersion: '',
  os: '',
  device: '',
  bot: false,
  name: '',
  value: 0,
  duration: 0,
  target: '',
  endpoint: '',
  status: 0,
  failed: false,
  errorType: '',
  errorMessage: '',
  flags: [],
  attributes: {},
  traceId: '',
  frustration: [],
  resourceType: '',
  method: '',
  host: '',
  size: 0,
  issue: null,
  handled: false,
  stack: '',
  originalStack: [],
  blocking: 0,
  scripts: [],
}

function moments(...drafts: (Partial<TimelineEvent> & { after: number })[]): Moment[] {
  const events = drafts.map(({ after, ...draft }, index) => ({
    ...empty,
    ...draft,
    id: `e${index}`,
    at: new Date(start + after).toISOString(),
  }))
  return toMoments(events, new Date(start).toISOString())
}

test.each<[Partial<TimelineEvent>, title: string, tone: string]>([
  [{ kind: 'view', page: '/cart' }, '/cart', 'plain'],
  [{ kind: 'vital', name: 'INP', value: 412 }, 'INP 412\u00a0ms', 'warn'],
  [{ kind: 'vital', name: 'CLS', value: 0.31 }, 'CLS 0.31', 'bad'],
  [{ kind: 'action', name: 'Pay', frustration: ['rage'] }, 'Pay', 'bad'],
  [
    { kind: 'resource', resourceType: 'fetch', method: 'GET', endpoint: '/pay', status: 504, failed: true },
    'GET /pay 504',
    'bad',
  ],
  [{ kind: 'resource', resourceType: 'css', target: 'https://a.example/b.css' }, 'css /b.css', 'plain'],
  [{ kind: 'error', errorMessage: 'No card' }, 'Error: No card', 'bad'],
  [{ kind: 'long_frame', duration: 120 }, 'Long frame 120\u00a0ms', 'warn'],
  [{ kind: 'exposure', name: 'checkout', flags: ['a=b', 'checkout=new'] }, 'checkout = new', 'plain'],
])('%j reads "%s" and is %s', (draft, ...expected) => {
  const [moment] = moments({ ...draft, after: 0 })
  expect([moment?.title, moment?.tone]).toEqual(expected)
})

test('the URL names a moment, even among several at the same time', () => {
  const all = moments({ after: 0 }, { after: 81_400 }, { after: 81_400 }, { after: 90_000 })
  const hashes = all.map((_, index) => printPlayhead(all, index))
  expect(hashes).toEqual(['t=0', 't=81.4&event=e1', 't=81.4', 't=90'])
  expect(hashes.map((hash) => readPlayhead(hash, all))).toEqual([0, 1, 2, 3])
  expect(readPlayhead('t=85', all)).toBe(2)
  expect(readPlayhead('event=e1', all)).toBe(1)
  for (const nonsense of ['', 't=', 't=x', 'event=other']) expect(readPlayhead(nonsense, all)).toBeUndefined()
})

test('finds issues in both directions, within the session', () => {
  const all = moments({ after: 0 }, { after: 1, kind: 'error' }, { after: 2 }, { after: 3, failed: true })
  expect(nextTrouble(all, -1, 1)).toBe(1)
  expect(nextTrouble(all, 1, 1)).toBe(3)
  expect(nextTrouble(all, 3, 1)).toBeUndefined()
  expect(nextTrouble(all, 3, -1)).toBe(1)
})

test('lanes span the session, show its gaps and are limited in number', () => {
  const requests = Array.from({ length: 5_000 }, (_, index) => ({
    after: 60_000 + index,
    kind: 'resource',
    resourceType: 'fetch',
    duration: 5,
    failed: index === 2_500,
  }))
  const lanes = layOutLanes({
    session: {
      startedAt: new Date(start).toISOString(),
      length: 100_000,
      viewList: [],
      flagChanges: [
        {
          at: new Date(start + 50_000).toISOString(),
          flag: 'a',
          variation: 'b',
          previous: 'c',
          split: null,
          epoch: null,
        },
      ],
    },
    moments: moments({ after: 0 }, ...requests, { after: 100_000, kind: 'error' }),
    width: 500,
    idleText: (span) => `${span / 1_000} s`,
  })
  expect(lanes.network.length).toBeLessThan(10)
  expect(lanes.network.filter(({ isBad }) => isBad)).toHaveLength(1)
  expect(lanes.idle.map(({ label }) => label)).toEqual(['60 s', '34.996 s'])
  expect(lanes.trouble.map(({ x }) => x)).toEqual([500])
  expect(lanes.flags).toEqual([{ x: 250, flag: 'a', variation: 'b', isChange: true }])
})

test('a session without duration has a line with its requests', () => {
  const session = { startedAt: new Date(start).toISOString(), length: 0, viewList: [], flagChanges: [] }
  const all = moments({ after: 0, page: '/cart' }, { after: 0, kind: 'resource', duration: 4_000 })
  const lanes = layOutLanes({ session, moments: all, width: 400, idleText: String })
  expect(lanes.pages).toMatchObject([{ from: 0, width: 400, label: '/cart' }])
  expect(lanes.network).toMatchObject([{ from: 0, width: 400 }])
  const alone = layOutLanes({ session, moments: moments({ after: 0 }), width: 400, idleText: String })
  expect(alone.ticks.map(({ at }) => at)).toEqual([0, 1_000])
})

test('an id shows whether its session has expired', () => {
  const requested = { now: Date.UTC(2026, 10, 21), keptDays: 90 }
  expect(whyLost('01900000-0000-7000-8000-000000000000', requested)).toBe('expired')
  expect(whyLost('c85dc5bd-9ab2-4fc7-ab06-99b5385690a5', requested)).toBe('unknown')
})
