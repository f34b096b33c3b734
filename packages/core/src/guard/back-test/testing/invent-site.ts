// A site for tests: returning users, slow and fast ones, and errors of a few. The same seed creates the same users.

import { seededRandom } from '../../../statistics/testing/seeded-random.ts'
import type { SiteUnits } from '../site-units.ts'

export const slots = 10

/** Its metrics are the values of a vital, and errors. */
export function inventSite(units: number, { seed, errors }: { seed: number; errors: number }): SiteUnits {
  const random = seededRandom(seed)
  const people = Array.from({ length: units }, () => ({
    slow: 0.4 * random.normal(),
    prone: random.uniform() < errors,
    visits: 1 + Math.floor(random.uniform() * 3),
  }))
  const rows: { unit: number; slot: number; bucket: number; error: boolean }[] = []
  for (const [unit, { slow, prone, visits }] of people.entries()) {
    for (let visit = 0; visit < visits; visit += 1) {
      const log = Math.log(2_000) + slow + 0.5 * random.normal()
      rows.push({
        unit,
        slot: Math.floor(random.uniform() * slots),
        bucket: Math.max(1, Math.round(log / Math.log(1.02))),
        error: prone && random.uniform() < 0.5,
      })
    }
  }
  rows.sort((one, other) => one.slot - other.slot)
  const columns = (
    by: (row: (typeof rows)[number]) => number,
    of: (row: (typeof rows)[number]) => number,
  ) => ({
    unit: Uint32Array.from(rows, (row) => row.unit),
    slot: Uint8Array.from(rows, (row) => row.slot),
    by: Float64Array.from(rows, by),
    of: Float64Array.from(rows, of),
  })
  const one = () => 1
  return {
    units,
    slots,
    width: 1,
    metrics: [columns(one, ({ bucket }) => bucket), columns(one, ({ error }) => (error ? 1 : 0))],
  }
}
