// A question as in the URL, and the query derived from it. Invalid parts are dropped; missing ones get the most
// likely default.

import { exploreMeasures, numericFields } from '@telltale/core/query/filter-fields'
import { timeSteps } from '@telltale/core/query/time-buckets'
import type { Exploration } from '../../api/explore.ts'
import { kinds, type MeasuredThing, needsField, usualField } from '../../ui/text/measured-thing.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const looks = ['lines', 'bars', 'stacked'] as const
export const tops = [5, 10, 20, 50] as const
const defaultTop = 10

export interface ExploreSearch extends MeasuredThing {
  /** The telemetry filter. */
  q?: string | undefined
  /** Without it, no query is sent. */
  measure?: MeasuredThing['measure']
  /** Up to two fields of the filter language, separated by a comma. */
  by?: string | undefined
  top?: (typeof tops)[number] | undefined
  step?: (typeof timeSteps)[number] | undefined
  look?: (typeof looks)[number] | undefined
  /** Compared with the previous period. */
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

/** Measures whose groups add up to the total. */
export const addsUp = (measure: NonNullable<MeasuredThing['measure']>) =>
  ['count', 'rate', 'sum'].includes(measure)

/** Undefined without a question, or for a share without a condition. `fields` are the valid ones of `by`. */
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
