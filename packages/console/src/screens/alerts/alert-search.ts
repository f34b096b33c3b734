import { oneOf, searchParser } from '../../ui/search-parameters.ts'
import { measuredThing } from '../../ui/text/measured-thing.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** Initial values of a new alert, as passed by Explore or another screen. */
export const parseNewAlertSearch = searchParser({
  ...measuredThing,
  /** The telemetry filter. */
  q: textOf,
  /** Based on events instead of a measure. */
  about: oneOf('events'),
})
export type NewAlertSearch = ReturnType<typeof parseNewAlertSearch>
