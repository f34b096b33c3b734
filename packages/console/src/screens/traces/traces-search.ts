import { searchParser, shortTextOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const parseTracesSearch = searchParser({
  /** The telemetry filter. */
  q: textOf,
})

export const parseTraceSearch = searchParser({
  /** Carried back to the list. */
  q: textOf,
  /** The span whose details are open. */
  span: shortTextOf,
})
