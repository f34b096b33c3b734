import { searchParser, trueOf } from '../../../ui/search-parameters.ts'
import { textOf } from '../../../ui/text/text-of.ts'

export const parseSourceMapsSearch = searchParser({
  q: textOf,
  /** A release of the application: shows only its maps. */
  of: textOf,
  /** The upload dialog. */
  upload: trueOf,
})
export type SourceMapsSearch = ReturnType<typeof parseSourceMapsSearch>
