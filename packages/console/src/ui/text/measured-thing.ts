import {
  type ExploreMeasure,
  exploreMeasures,
  fieldMeasures,
  type NumericField,
  numericFields,
} from '@telltale/core/query/filter-fields'
import { oneOf, type SearchOf } from '../search-parameters.ts'
import { textOf } from './text-of.ts'

export const kinds = [
  ...(['view', 'vital', 'action', 'resource', 'error'] as const),
  ...(['long_frame', 'custom', 'exposure'] as const),
]

export type Measure = ExploreMeasure

/** The parameters of a measure over a set of events. */
export const measuredThing = {
  measure: oneOf(...exploreMeasures),
  /** The field of a percentile, a mean or a sum. */
  of: oneOf(...numericFields),
  kind: oneOf(...kinds),
  /** The condition of a share. */
  part: textOf,
}
export type MeasuredEvents = SearchOf<typeof measuredThing>

/** Explore counts log records as well. */
export const exploredKinds = [...kinds, 'log' as const]
export type MeasuredThing = Omit<MeasuredEvents, 'kind'> & {
  kind?: (typeof exploredKinds)[number] | undefined
}

export const needsField = (measure: Measure) => fieldMeasures.has(measure)

export function usualField(kind: MeasuredThing['kind']): NumericField {
  if (kind === 'vital') return 'lcp'
  if (kind === 'long_frame') return 'blocking'
  return kind === 'custom' ? 'value' : 'duration'
}
