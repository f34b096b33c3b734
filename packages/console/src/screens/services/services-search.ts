import { searchParser } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const parseServicesSearch = searchParser({
  /** The telemetry filter. */
  q: textOf,
  sort: textOf,
})

/** Of one service. */
export const parseServiceSearch = searchParser({
  q: textOf,
  /** Of its operations. */
  sort: textOf,
})
