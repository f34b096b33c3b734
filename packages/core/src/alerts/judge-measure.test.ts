import { expect, test } from 'vitest'
import { firingText, recoveredText } from './alert-text.ts'
import { judgeMeasure } from './judge-measure.ts'

const above = { kind: 'threshold', is: 'above', value: 10 } as const
const of = (value: number | null, events = value ?? 0) => ({ value, events })

test('fires above the threshold, not at it', () => {
  expect(judgeMeasure(above, { now: of(10), minEvents: 0 }).reading).toBe('within')
  expect(judgeMeasure(above, { now: of(10.1), minEvents: 0 }).reading).toBe('past')
  const below = { ...above, is: 'below' } as const
  expect(judgeMeasure(below, { now: of(0), minEvents: 0 }).reading).toBe('past')
})

test('too few events and missing values are not judged', () => {
  expect(judgeMeasure(above, { now: of(99, 3), minEvents: 4 })).toMatchObject({ why: 'too-few-events' })
  expect(judgeMeasure(above, { now: of(null), minEvents: 0 })).toMatchObject({ reading: 'missing' })
})

test('a change is compared with the previous period', () => {
  const rise = { kind: 'change', is: 'above', by: 0.5, against: 'previous' } as const
  const judge = (now: number, before: number | null, minEvents = 0) =>
    judgeMeasure(rise, { now: of(now), before: of(before), minEvents })
  expect(judge(15, 10)).toMatchObject({ reading: 'within', change: 0.5 })
  expect(judge(16, 10).reading).toBe('past')
  expect(judge(5, 0)).toMatchObject({ reading: 'past', change: null })
  expect(judge(0, 0).reading).toBe('within')
  expect(judge(5, null)).toMatchObject({ why: 'nothing-before' })
  const fall = { ...rise, is: 'below' } as const
  const gone = judgeMeasure(fall, { now: of(0), before: of(1_000), minEvents: 100 })
  expect(gone).toMatchObject({ reading: 'past', change: -1 })
})

test('summarizes in one line', () => {
  const query = { measure: 'count' }
  const reported = { name: 'Errors', query, window: '5m', value: 12.3456, change: null }
  expect(firingText({ ...reported, condition: above })).toBe(
    'Errors: 12.35 over the last 5 minutes, above 10',
  )
  const condition = { kind: 'change', is: 'below', by: 0.3, against: 'week' } as const
  expect(firingText({ ...reported, condition, change: -0.5 })).toBe(
    'Errors: 12.35 (\u221250%) over the last 5 minutes, below \u221230% vs the same window last week',
  )
})

test('formats numbers for reading', () => {
  const reported = { name: 'Slow', window: '1h', change: null, condition: above }
  const lcp = { measure: 'p75', field: 'lcp' } as const
  expect(firingText({ ...reported, query: lcp, value: 4_000 })).toBe(
    'Slow: 4000 ms over the last hour, above 10 ms',
  )
  const condition = { kind: 'threshold', is: 'above', value: 0.1 } as const
  expect(firingText({ ...reported, condition, query: { measure: 'share' }, value: 0.25 })).toBe(
    'Slow: 25% over the last hour, above 10%',
  )
  const users = { measure: 'users', field: 'lcp' } as const
  expect(recoveredText({ name: 'Slow', query: users, value: 9 }), 'people have no unit').toMatch(/: 9$/)
  expect(recoveredText({ name: 'Slow', query: lcp, value: 9 })).toBe('Slow is back to normal: 9 ms')
})
