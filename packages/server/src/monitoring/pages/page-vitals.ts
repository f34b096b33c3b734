// The bins of distributions, identical for every page, so that pages and variations can be overlaid.

import { vitalNames } from '@telltale/core/contract/events'
import { type VitalName, vitalBoundaries } from '@telltale/core/telemetry/vitals'
import type { Vital } from '../explore/vitals.ts'
import type { BinRow, PageRow } from './queries.ts'

/** Both boundaries are edges of bins. The last bin contains all larger values. */
const binWidth: Readonly<Record<VitalName, number>> = { LCP: 100, INP: 20, CLS: 0.01, FCP: 100, TTFB: 50 }
const binCount = 61
export const lastBin = binCount - 1

export const widthsOf = (names: readonly VitalName[]) => new Map(names.map((name) => [name, binWidth[name]]))

export const boundariesOf = (name: VitalName): number[] => [...vitalBoundaries[name]]

export interface Bin {
  from: number
  to: number | null
  count: number
}

export function toBins(name: VitalName, rows: readonly BinRow[]): Bin[] {
  const counts = new Map(rows.map(({ bin, count }) => [bin, count]))
  const edge = (bin: number) => Math.round(bin * binWidth[name] * 10_000) / 10_000
  return Array.from({ length: binCount }, (_, bin) => ({
    from: edge(bin),
    to: bin === lastBin ? null : edge(bin + 1),
    count: counts.get(bin) ?? 0,
  }))
}

/** All five, in fixed order. */
export function toSummaries(rows: PageRow['vitals']): Vital[] {
  return vitalNames.map((name) => {
    const [, count = '0', p75 = null, good = null, poor = null] = rows.find(([vital]) => vital === name) ?? []
    return { name, count: Number(count), p75, good, poor }
  })
}
