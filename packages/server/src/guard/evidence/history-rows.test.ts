import { noHistory } from '@telltale/core/statistics/history'
import { noSums } from '@telltale/core/statistics/sums'
import { expect, test } from 'vitest'
import { adjustedBy } from './history-rows.ts'
import type { SumsOfMetric } from './unit-sums.ts'

const rule = { coefficient: 0.5, ratio: 1, mean: 1, reduction: 0.3, id: 'some', place: 1 }

/** A hundred users in each arm; `yx` is how closely what they did after the exposure follows their history. */
function found(yx: number): SumsOfMetric {
  const sums = { ...noSums, units: 100, n: 100, y: 300, nn: 100, ny: 300, yy: 2_000 }
  const shared = { treatment: [], control: [] }
  const past = { ...noHistory, x: 40, xx: 500, nx: 40, yx }
  return {
    sums: { stages: [{ treatment: { ...sums, y: 330, ny: 330 }, control: sums }], shared },
    unitsWithEvent: 200,
    history: { stages: [{ treatment: past, control: { ...past, x: -10, nx: -10 } }], shared },
  }
}

test('what is taken out does not depend on what users did after the exposure', () => {
  const [loose, close] = [0, 900].map((yx) => adjustedBy(rule, found(yx))?.stages[0])
  for (const arm of ['treatment', 'control'] as const) {
    const { yy: _, ...rest } = loose?.[arm] ?? noSums
    expect(close?.[arm]).toMatchObject(rest)
    expect(close?.[arm].yy).toBeLessThan(loose?.[arm].yy ?? 0)
  }
  // y − 0.5 x + r n, with r = 0.5 · 30 / 200.
  expect(close?.treatment.y).toBeCloseTo(330 - 20 + 7.5, 9)
  expect(close?.control.y).toBeCloseTo(300 + 5 + 7.5, 9)
})
