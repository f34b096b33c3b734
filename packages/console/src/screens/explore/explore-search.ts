import { textOf } from '../../ui/text-of.ts'
// A question as it stands in the address, and what of it the server is asked. What makes no sense falls away; what is
// missing gets the value that a person would choose first.

import { exploreMeasures, numericFields } from '@telltale/core/telemetry/filter-fields'
import { timeSteps } from '@telltale/core/telemetry/time-buckets'
import type { Exploration } from '../../api/explore.ts'

export const kinds = [
  ...(['view', 'vital', 'action', 'resource', 'error'] as const),
  ...(['long_frame', 'custom', 'exposure'] as const),
]
export const looks = ['lines', 'bars', 'stacked'] as const
export const tops = [5, 10, 20, 50] as const
const defaultTop = 10

export interface ExploreSearch {
  /** The filter of telemetry. */
  q?: string | undefined
  /** Without it nothing is asked yet. */
  measure?: (typeof exploreMeasures)[number] | undefined
  /** What a percentile, a mean or a sum is of. */
  of?: (typeof numericFields)[number] | undefined
  /** The filter that a share fits. */
  part?: string | undefined
  kind?: (typeof kinds)[number] | undefined
  /** Up to two fields of the filter language, with a comma between them. */
  by?: string | undefined
  top?: (typeof tops)[number] | undefined
  step?: (typeof timeSteps)[number] | undefined
  look?: (typeof looks)[number] | undefined
  /** Beside the time before. */
  compare?: true | undefined
  sort?: string | undefined
}

export function parseExploreSearch(search: Record<string, unknown>): ExploreSearch {
  return {
    q: textOf(search.q),
    measure: exploreMeasures.find((one) => one === search.measure),
    of: numericFields.find((one) => one === search.of),
    part: textOf(search.part),
    kind: kinds.find((one) => one === search.kind),
    by: textOf(search.by),
    top: tops.find((one) => one === search.top),
    step: timeSteps.find((one) => one === search.step),
    look: looks.find((one) => one === search.look),
    compare: search.compare === true ? true : undefined,
    sort: textOf(search.sort),
  }
}

export type Measure = NonNullable<ExploreSearch['measure']>

const ofField: readonly Measure[] = ['p50', 'p75', 'p95', 'p99', 'mean', 'sum']
export const needsField = (measure: Measure) => ofField.includes(measure)
/** Measures whose groups add up to the whole. */
export const addsUp = (measure: Measure) => ['count', 'rate', 'sum'].includes(measure)

/** Undefined while it is not asked for, or a share of nothing yet. `fields` are those of `by` that can be read. */
export function explorationOf(search: ExploreSearch, fields: string): Exploration | undefined {
  const { measure, of, part, kind, top = defaultTop, step } = search
  if (measure === undefined || (measure === 'share' && part === undefined)) return undefined
  return {
    measure,
    ...(needsField(measure) ? { field: of ?? usualField(kind) } : {}),
    ...(measure === 'share' && part !== undefined ? { part } : {}),
    ...(kind === undefined ? {} : { kind }),
    ...(fields === '' ? {} : { by: fields, top }),
    ...(step === undefined ? {} : { step }),
  }
}

export function usualField(kind: ExploreSearch['kind']): NonNullable<ExploreSearch['of']> {
  if (kind === 'vital') return 'lcp'
  if (kind === 'long_frame') return 'blocking'
  return kind === 'custom' ? 'value' : 'duration'
}
