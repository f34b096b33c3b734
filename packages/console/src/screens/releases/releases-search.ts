import { printFilter } from '@telltale/core/query/filter'
import type { ReleaseList } from '../../api/releases.ts'
import { oneOf, searchParser } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export const parseReleasesSearch = searchParser({
  /** The telemetry filter. */
  q: textOf,
  /** Text contained in versions. */
  find: textOf,
  sort: oneOf('first-seen', 'sessions', 'users', 'crashes'),
})
export type ReleasesSearch = ReturnType<typeof parseReleasesSearch>

/** Without versions, the two newest ones are compared. */
export const parseCompareSearch = searchParser({ q: textOf, version: textOf, base: textOf })

export const parseReleaseSearch = searchParser({ q: textOf })

export function listOf({ sort, find }: ReleasesSearch): ReleaseList {
  return { sort, search: find?.slice(0, 200) }
}

/** The events of a version, in the filter language. */
export function filterOf(version: string): string {
  const chip = { field: 'version', key: '', isNegated: false, operator: 'is', values: [version] } as const
  return printFilter({ chips: [chip], words: [] })
}
