import { expect, test } from 'vitest'
import { samplePosition } from '../keys.ts'
import { decideQuota, periodStart, strictest } from './decide-quota.ts'

const at = (part: number, meter: Parameters<typeof decideQuota>[0] = 'events') =>
  decideQuota(meter, { used: part * 1_000, most: 1_000 })

test('nothing is dropped below a quota, and 80% is noticed', () => {
  expect(at(0.799)).toEqual({ level: 'ok', pausesRecording: false, share: 1 })
  expect(at(0.8)).toEqual({ level: 'near', pausesRecording: false, share: 1 })
  expect(at(0.999)).toMatchObject({ level: 'near', pausesRecording: false })
})

test('recordings go first, then more and more sessions, never all', () => {
  const parts = [1, 1.1, 1.25, 1.5, 100]
  const decisions = parts.map((part) => at(part))
  expect(decisions.every(({ level, pausesRecording }) => level === 'over' && pausesRecording)).toBe(true)
  expect(decisions.map(({ share }) => share)).toEqual([0.5, 0.2, 0.05, 0.01, 0.01])
})

test('a quota of replays keeps every session, and one of evaluations drops nothing', () => {
  expect(at(9, 'replayBytes')).toEqual({ level: 'over', pausesRecording: true, share: 1 })
  expect(at(9, 'evaluations')).toEqual({ level: 'over', pausesRecording: false, share: 1 })
})

test('of several reductions the strictest applies', () => {
  expect(strictest([])).toEqual({ pausesRecording: false, share: 1 })
  expect(
    strictest([
      { pausesRecording: true, share: 1 },
      { pausesRecording: false, share: 0.1 },
    ]),
  ).toEqual({ pausesRecording: true, share: 0.1 })
})

test('a session that a lower share keeps is kept by every higher one', () => {
  const sessions = Array.from({ length: 2_000 }, (_, index) =>
    (index * 2_654_435_761).toString(16).padStart(8, '0'),
  )
  const kept = (share: number) => sessions.filter((session) => samplePosition(session) < share)
  expect(kept(0.5)).toEqual(expect.arrayContaining(kept(0.05)))
})

test('periods begin at midnight and on the first of the month, in UTC', () => {
  const now = new Date('2026-03-31T23:30:00-02:00')
  expect([periodStart('day', now), periodStart('month', now)]).toEqual(['2026-04-01', '2026-04-01'])
})
