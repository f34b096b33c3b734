import { expect, test } from 'vitest'
import { sumOutcomes } from './sum-outcomes.ts'

const of = (kind: string, reason: string, count: number) => ({
  hour: '2026-11-01T00:00:00.000Z',
  source: 'telltale',
  kind,
  reason,
  count,
})

test('sums dropped events by reason and kind, most frequent first', () => {
  const outcomes = [
    of('view', 'accepted', 40),
    of('view', 'accepted', 2),
    of('batch', 'repeated', 3),
    of('view', 'invalid', 1),
    of('error', 'invalid', 4),
    of('view', 'invalid', 1),
    of('view', 'too_large', 9),
  ]
  expect(sumOutcomes(outcomes)).toEqual({
    accepted: 42,
    repeated: 3,
    dropped: [
      { reason: 'too_large', count: 9, kinds: [{ kind: 'view', count: 9 }] },
      {
        reason: 'invalid',
        count: 6,
        kinds: [
          { kind: 'error', count: 4 },
          { kind: 'view', count: 2 },
        ],
      },
    ],
  })
})
