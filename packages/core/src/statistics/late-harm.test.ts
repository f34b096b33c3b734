// Evidence that also begins anew each day: harm after a quiet week, harm at once, and none.
import { expect, test } from 'vitest'
import { isEnough } from './boundary.ts'
import { judgeEventShare } from './judge.ts'
import { beginningsOf, strongestBeginning } from './late-harm.ts'
import { type LateSite, looksAtDays } from './testing/late-site.ts'

const standard = { better: 'lower', limit: 0.25, margin: 0.25, alpha: 0.05 / 9, beta: 0.05 } as const

interface FoundAfterOptions {
  isAnew: boolean
  limit?: number
  alpha?: number
}

/** The day, as a fraction, on which it was called a regression. */
function foundAfter(
  site: LateSite,
  seed: number,
  { isAnew, limit = standard.limit, alpha = standard.alpha }: FoundAfterOptions,
) {
  for (const { after, whole, byDay } of looksAtDays(site, seed)) {
    const beginnings = beginningsOf([whole], isAnew ? byDay : undefined)
    if (isEnough(strongestBeginning(beginnings, 1 + limit).evidence, alpha)) return after
  }
  return undefined
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const range = (count: number) => Array.from({ length: count }, (_, seed) => seed + 1)

test('errors tripled after seven quiet days are detected in little more than half the time', () => {
  const late = { days: 14, perDay: 40, harmFrom: 7, times: 3 }
  const span = (isAnew: boolean) =>
    median(range(40).map((seed) => (foundAfter(late, seed, { isAnew }) ?? late.days) - late.harmFrom))
  expect(span(true)).toBeLessThan(span(false) * 0.7)
})

test('the restarts cost little for immediate harm', () => {
  const atOnce = { days: 6, perDay: 40, harmFrom: 0, times: 3 }
  const span = (isAnew: boolean) =>
    median(range(60).map((seed) => foundAfter(atOnce, seed, { isAnew }) ?? atOnce.days))
  expect(span(true) - span(false)).toBeLessThanOrEqual(0.25)
})

test('late harm is shown since its start, with its whole interval above the limit', () => {
  for (const { whole, byDay } of looksAtDays({ days: 14, perDay: 40, harmFrom: 7, times: 3 }, 3)) {
    const { evidence } = strongestBeginning(beginningsOf([whole], byDay), 1 + standard.limit)
    if (!isEnough(evidence, standard.alpha)) continue
    const { state, since, worse } = judgeEventShare([whole], standard, { isReady: true, days: byDay })
    expect(state).toBe('regressed')
    expect(since).toBeGreaterThan(5)
    expect(worse.lower).toBeGreaterThan(standard.limit)
    expect(worse.estimate).toBeGreaterThan(1)
    return
  }
  expect.unreachable()
})

test('forty harmless days raise no more false alarms than promised, with a limit of zero', () => {
  const calm = { days: 40, perDay: 20, harmFrom: 99, times: 1 }
  const alarms = range(60).filter(
    (seed) => foundAfter(calm, seed, { isAnew: true, limit: 0, alpha: 0.05 }) !== undefined,
  )
  expect(alarms.length / 60).toBeLessThanOrEqual(0.05 + 0.05)
})

test('the shares of all starts never sum to more than one, with any number of days', () => {
  const days = Array.from({ length: 400 }, (_, day) => ({
    day,
    stages: [{ treatment: 1, control: 1, share: 0.5 }],
  }))
  const parts = beginningsOf([{ treatment: 400, control: 400, share: 0.5 }], days).map(({ part }) => part)
  expect(parts[0]).toBe(0.5)
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(1)
})
