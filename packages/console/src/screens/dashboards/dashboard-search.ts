import { searchParser, trueOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const parseDashboardsSearch = searchParser({
  /** Text that names and descriptions contain. */
  search: textOf,
  /** The dialog for a new dashboard. */
  new: trueOf,
})

export const parseDashboardSearch = searchParser({
  /** The telemetry filter. */
  q: textOf,
  edit: trueOf,
  /** For a screen on the wall. */
  tv: trueOf,
})
