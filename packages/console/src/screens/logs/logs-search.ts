import { searchParser, shortTextOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const parseLogsSearch = searchParser({
  /** The telemetry filter. */
  q: textOf,
  /** The record whose details are open. */
  peek: shortTextOf,
})
