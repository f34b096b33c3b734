import type { SliceField } from '../../../api/impact.ts'
import { oneOf, ordinalOf, searchParser } from '../../../ui/search-parameters.ts'
import { textOf } from '../../../ui/text/text-of.ts'

export const sliceFields: readonly SliceField[] = ['browser', 'device', 'country', 'version']

/** The comparison's state in the URL. */
export const parseImpactSearch = searchParser({
  split: textOf,
  epoch: ordinalOf,
  control: textOf,
  treatment: textOf,
  /** The metric whose history and slices are shown. Default: the worst. */
  metric: textOf,
  /** Comma-separated keys; default: those that were measured. */
  metrics: textOf,
  by: oneOf(...sliceFields),
  view: oneOf('values'),
})
export type ImpactSearch = ReturnType<typeof parseImpactSearch>
