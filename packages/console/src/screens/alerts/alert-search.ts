import { exploreMeasures, numericFields } from '@telltale/core/query/filter-fields'
import { kinds, type MeasuredThing } from '../../ui/text/measured-thing.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** Initial values of a new alert, as passed by Explore or another screen. */
export interface NewAlertSearch extends MeasuredThing {
  /** The telemetry filter. */
  q?: string | undefined
  /** Based on events instead of a measure. */
  about?: 'events' | undefined
}

export function parseNewAlertSearch(search: Record<string, unknown>): NewAlertSearch {
  return {
    q: textOf(search.q),
    measure: exploreMeasures.find((one) => one === search.measure),
    of: numericFields.find((one) => one === search.of),
    part: textOf(search.part),
    kind: kinds.find((one) => one === search.kind),
    about: search.about === 'events' ? 'events' : undefined,
  }
}
