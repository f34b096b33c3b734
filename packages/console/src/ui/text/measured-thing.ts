import { type ExploreMeasure, fieldMeasures, type NumericField } from '@telltale/core/query/filter-fields'

export const kinds = [
  ...(['view', 'vital', 'action', 'resource', 'error'] as const),
  ...(['long_frame', 'custom', 'exposure'] as const),
]

export type Measure = ExploreMeasure

/** A measure over a set of events. */
export interface MeasuredThing {
  measure?: Measure | undefined
  /** The field of a percentile, a mean or a sum. */
  of?: NumericField | undefined
  kind?: (typeof kinds)[number] | undefined
  /** The condition of a share. */
  part?: string | undefined
}

export const needsField = (measure: Measure) => fieldMeasures.has(measure)

export function usualField(kind: MeasuredThing['kind']): NumericField {
  if (kind === 'vital') return 'lcp'
  if (kind === 'long_frame') return 'blocking'
  return kind === 'custom' ? 'value' : 'duration'
}
