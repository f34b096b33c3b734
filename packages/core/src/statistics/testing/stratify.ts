// The sums of a stratified comparison from rows in memory: what the server's query computes in the telemetry engine.

import type { StratifiedArm, StratifiedSums } from '../stratified.ts'
import type { ArmName } from '../sums.ts'

/** One user in one stratum. */
export interface UnitInStratum {
  stratum: number
  arm: ArmName
  unit: number
  n: number
  y: number
}

interface Stratum {
  n: Record<ArmName, number>
  y: Record<ArmName, number>
  units: Record<ArmName, number>
}

export function stratify(rows: readonly UnitInStratum[]): StratifiedSums {
  const strata = sumStrata(rows)
  const weights = weighStrata(strata)
  return {
    strata: weights.size,
    treatment: sumArm(rows, 'treatment', { strata, weights }),
    control: sumArm(rows, 'control', { strata, weights }),
  }
}

function sumStrata(rows: readonly UnitInStratum[]): Map<number, Stratum> {
  const strata = new Map<number, Stratum>()
  for (const { stratum, arm, n, y } of rows) {
    const found = strata.get(stratum) ?? {
      n: { treatment: 0, control: 0 },
      y: { treatment: 0, control: 0 },
      units: { treatment: 0, control: 0 },
    }
    found.n[arm] += n
    found.y[arm] += y
    found.units[arm] += 1
    strata.set(stratum, found)
  }
  return strata
}

/** By stratum, with a sum of 1; strata with one group only are left out. */
export function weighStrata(strata: ReadonlyMap<number, Pick<Stratum, 'n'>>): Map<number, number> {
  const raw = [...strata].flatMap(([key, { n }]): [number, number][] =>
    n.treatment > 0 && n.control > 0 ? [[key, (n.treatment * n.control) / (n.treatment + n.control)]] : [],
  )
  const all = raw.reduce((sum, [, weight]) => sum + weight, 0)
  return new Map(raw.map(([key, weight]) => [key, weight / all]))
}

interface Weighed {
  strata: ReadonlyMap<number, Stratum>
  weights: ReadonlyMap<number, number>
}

function sumArm(rows: readonly UnitInStratum[], arm: ArmName, { strata, weights }: Weighed): StratifiedArm {
  const units = new Map<number, { y: number; own: number; pooled: number }>()
  let [n, mean] = [0, 0]
  for (const row of rows) {
    const [stratum, weight] = [strata.get(row.stratum), weights.get(row.stratum)]
    if (row.arm !== arm || stratum === undefined || weight === undefined) continue
    const unit = units.get(row.unit) ?? { y: 0, own: 0, pooled: 0 }
    const share = weight / stratum.n[arm]
    const both = stratum.units.treatment + stratum.units.control
    const together = (stratum.y.treatment + stratum.y.control) / (stratum.n.treatment + stratum.n.control)
    unit.y += row.y
    unit.own += share * (row.y - (stratum.y[arm] / stratum.n[arm]) * row.n) * small(stratum.units[arm])
    unit.pooled += share * (row.y - together * row.n) * small(both)
    units.set(row.unit, unit)
    n += row.n
    mean += share * row.y
  }
  const square = (of: 'own' | 'pooled') => [...units.values()].reduce((sum, unit) => sum + unit[of] ** 2, 0)
  const affected = [...units.values()].filter(({ y }) => y > 0).length
  return { units: units.size, affected, n, mean, own: square('own'), pooled: square('pooled') }
}

/** Residuals around a mean of few values are too small. */
const small = (units: number) => (units > 1 ? Math.sqrt(units / (units - 1)) : 1)
