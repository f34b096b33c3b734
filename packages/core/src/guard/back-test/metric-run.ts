// One metric in one run of a back-test: reads rows slot by slot, and returns the evidence that the guard would have had
// after each.

import { bucketMaximum } from '../../statistics/buckets.ts'
import { findQuantiles } from '../../statistics/quantile-effect.ts'
import type { ArmName } from '../../statistics/sums.ts'
import type { MetricEvidence } from '../judge-metric.ts'
import { isOncePerUnit, type Method, unitWeightOf } from '../metric-method.ts'
import { firstOf, type UnitRows } from './site-units.ts'
import { type Drawn, sumUnits, UnitTally } from './unit-tally.ts'

export interface RunDraw extends Drawn {
  units: number
  /** The slot of the period in which the run starts. */
  from: number
  /** The designed share of the treatment in a stage. */
  shareOf(stage: number): number
}

interface MetricRun {
  /** Adds the rows of a slot, which belongs to a stage. */
  take(slot: number, stage: number): void
  evidence(): MetricEvidence
}

export function runMetric(method: Method, rows: UnitRows, draw: RunDraw): MetricRun {
  return method.kind === 'quantile' ? runQuantile(method, rows, draw) : runCounted(method, rows, draw)
}

/** Continues after the previous slot. */
function createReader(rows: UnitRows, from: number): (at: number, each: (row: number) => void) => number {
  const { slot } = rows
  let next = firstOf(rows, from)
  return (at, each) => {
    for (; next < slot.length && (slot[next] ?? 0) <= at; next += 1) each(next)
    return next
  }
}

type Counted = Exclude<Method, { kind: 'quantile' }>

/** The same numbers per unit as in the SQL of the evidence. */
const numbersOf: {
  [Kind in Counted['kind']]: (by: number, of: number, cap: number) => [n: number, y: number]
} = {
  mean: (by, of) => [by, of],
  count: (by, of, cap) => [by, Math.min(of, cap * by)],
  share: (by, of) => [by > 0 ? 1 : 0, of > 0 ? 1 : 0],
  'rare-share': (by, of) => [by > 0 ? 1 : 0, of > 0 ? 1 : 0],
  total: (by, of, cap) => [by, Math.min(cap * by, Math.max(-cap * by, of))],
}

function runCounted(method: Counted, rows: UnitRows, draw: RunDraw): MetricRun {
  const tally = new UnitTally(draw, draw.units)
  const by = new Float64Array(draw.units * draw.stages)
  const of = new Float64Array(draw.units * draw.stages)
  const cap = method.kind === 'count' || method.kind === 'total' ? method.cap : 0
  const isOnce = isOncePerUnit(method)
  const numbers = numbersOf[method.kind]
  const most = unitWeightOf(method)
  const met = new Uint8Array(method.kind === 'rare-share' ? draw.units : 0)
  const first = Array.from({ length: draw.stages }, (_, stage) => ({
    treatment: 0,
    control: 0,
    share: draw.shareOf(stage),
  }))
  const read = createReader(rows, draw.from)

  return {
    take(slot, stage) {
      read(slot, (row) => {
        const unit = rows.unit[row] ?? 0
        const place = unit * draw.stages + stage
        const counted = rows.of[row] ?? 0
        by[place] = (by[place] ?? 0) + (rows.by[row] ?? 0)
        of[place] = (of[place] ?? 0) + counted
        const seen = by[place] ?? 0
        const [n, y] = numbers(isOnce ? Math.min(1, seen) : seen, of[place] ?? 0, cap)
        const weight = n > most ? most / n : 1
        tally.set(place, n * weight, y * weight)
        if (counted > 0 && met[unit] === 0) {
          met[unit] = 1
          const here = first[stage]
          if (here) here[draw.armOf(unit, stage)] += 1
        }
      })
    },
    evidence() {
      const { sums } = tally
      if (method.kind === 'count' || method.kind === 'total')
        return { kind: 'ratio', sums, unitsWithEvent: tally.unitsWithEvent }
      if (method.kind !== 'rare-share') return { kind: 'ratio', sums }
      const units = { treatment: 0, control: 0 }
      for (const { treatment, control } of sums.stages) {
        units.treatment += treatment.units
        units.control += control.units
      }
      // Back-tests do not restart evidence each day; it starts once, with the share of alpha that the start has.
      return { kind: 'events', stages: first, days: [], units }
    },
  }
}

/** The quantile is only known at a look, so earlier rows are read again then. */
function runQuantile(
  method: Extract<Method, { kind: 'quantile' }>,
  rows: UnitRows,
  draw: RunDraw,
): MetricRun {
  const { p } = method
  const { stages } = draw
  const most = unitWeightOf(method)
  const zeros = () => new Array<number>(bucketMaximum + 1).fill(0)
  const first = firstOf(rows, draw.from)
  const stageOfRow = new Uint8Array(rows.slot.length - first)
  const isTreated = new Uint8Array(rows.slot.length - first)
  const n = new Float64Array(draw.units * stages)
  const y = new Float64Array(draw.units * stages)
  const met: number[] = []
  const isMet = new Uint8Array(draw.units)
  const read = createReader(rows, draw.from)
  let seen = first

  return {
    take(slot, stage) {
      seen = read(slot, (row) => {
        const unit = rows.unit[row] ?? 0
        const arm = draw.armOf(unit, stage)
        const count = rows.by[row] ?? 0
        stageOfRow[row - first] = stage
        isTreated[row - first] = arm === 'treatment' ? 1 : 0
        n[unit * stages + stage] = (n[unit * stages + stage] ?? 0) + count
        if (isMet[unit] === 0) met.push(unit)
        isMet[unit] = 1
      })
    },
    evidence() {
      // Which values are beyond the quantile is only known at a look, too.
      const each = (
        count: (row: { stage: number; place: number; arm: ArmName; bucket: number; many: number }) => void,
      ) => {
        for (let row = first; row < seen; row += 1) {
          const stage = stageOfRow[row - first] ?? 0
          const place = (rows.unit[row] ?? 0) * stages + stage
          const many = (rows.by[row] ?? 0) * Math.min(1, most / (n[place] ?? 1))
          const bucket = Math.min(bucketMaximum, rows.of[row] ?? 0)
          count({ stage, place, arm: isTreated[row - first] === 1 ? 'treatment' : 'control', bucket, many })
        }
      }
      const histograms = Array.from({ length: stages }, () => ({ treatment: zeros(), control: zeros() }))
      each(({ stage, arm, bucket, many }) => {
        const histogram = histograms[stage]?.[arm]
        if (histogram) histogram[bucket] = (histogram[bucket] ?? 0) + many
      })
      const quantiles = findQuantiles(histograms, p)
      y.fill(0)
      if (quantiles !== undefined) {
        each(({ place, arm, bucket, many }) => {
          const end = quantiles.bucket[arm]
          if (bucket < end) return
          y[place] = (y[place] ?? 0) + (bucket > end ? many : many * quantiles.part[arm])
        })
      }
      const weights = n.map((all) => Math.min(most, all))
      return { kind: 'quantile', quantiles, beyond: sumUnits(draw, met, { n: weights, y }) }
    },
  }
}
