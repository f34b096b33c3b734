import { expect, test } from 'vitest'
import { linesOf, stepFor, stepLengths } from './usage-series.ts'

const { hour, day } = stepLengths
const from = Date.parse('2026-11-19T10:00:00.000Z')
const at = (hours: number) => new Date(from + hours * hour).toISOString()

test("sums reasons by variation, in the flag's order, with zeros", () => {
  const { times, lines } = linesOf(
    {
      from: at(0),
      to: at(2.5),
      step: 'hour',
      total: 12,
      firstEvaluatedAt: at(0),
      lastEvaluatedAt: at(2),
      series: [
        { variation: 'on', reason: 'SPLIT', total: 6, points: [{ at: at(0), count: 6 }] },
        { variation: null, reason: 'ERROR', total: 1, points: [{ at: at(1), count: 1 }] },
        { variation: 'off', reason: 'SPLIT', total: 3, points: [{ at: at(2), count: 3 }] },
        { variation: 'on', reason: 'TARGETING_MATCH', total: 2, points: [{ at: at(0), count: 2 }] },
      ],
    },
    [{ key: 'off' }, { key: 'on' }],
  )
  expect(times).toEqual([from, from + hour, from + 2 * hour])
  expect(lines).toEqual([
    { variation: 'off', total: 3, values: [0, 0, 3] },
    { variation: 'on', total: 8, values: [8, 0, 0] },
    { variation: null, total: 1, values: [0, 1, 0] },
  ])
})

test('the step matches the resolution of the server', () => {
  const now = from
  expect(stepFor(now - hour, now, now)).toBe('minute')
  expect(stepFor(now - day, now, now)).toBe('hour')
  expect(stepFor(now - 7 * day, now, now)).toBe('hour')
  expect(stepFor(now - 90 * day, now, now)).toBe('day')
  expect(stepFor(now - 3 * day, now - 3 * day + hour, now)).toBe('hour')
})
