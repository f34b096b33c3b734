// A question as in the URL, and the query derived from it. Invalid parts are dropped; missing ones get the most
// likely default.

import { timeSteps } from '@telltale/core/query/time-buckets'
import type { Exploration } from '../../api/explore.ts'
import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import {
  exploredKinds,
  type MeasuredThing,
  measuredThing,
  needsField,
  usualField,
} from '../../ui/text/measured-thing.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const looks = ['lines', 'bars', 'stacked'] as const
export const tops = [5, 10, 20, 50] as const
const defaultTop = 10

export const parseExploreSearch = searchParser({
  /** Without `measure`, no query is sent. */
  ...measuredThing,
  kind: oneOf(...exploredKinds),
  /** The telemetry filter. */
  q: textOf,
  /** Up to two fields of the filter language, separated by a comma. */
  by: textOf,
  top: oneOf(...tops),
  step: oneOf(...timeSteps),
  look: oneOf(...looks),
  /** Compared with the previous period. */
  compare: trueOf,
  sort: textOf,
  /** All events, instead of a sample of the users where those are very many. */
  exact: trueOf,
  /** A rate with intervals below the counts. */
  rate: oneOf('users', 'sessions', 'per-user', 'per-session'),
  /** What it is compared with: another value of the field, or the previous period. */
  against: oneOf('values', 'periods'),
  value: textOf,
  base: textOf,
})
export type ExploreSearch = ReturnType<typeof parseExploreSearch>

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
    ...(search.exact ? { exact: 'true' as const } : {}),
  }
}
