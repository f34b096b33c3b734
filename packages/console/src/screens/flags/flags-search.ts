import { lifecycleStates } from '@telltale/core/states/lifecycle'
import type { FlagFilter } from '../../api/flags.ts'
import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import { parseSort, type Sort } from '../../ui/table/column.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export const parseFlagsSearch = searchParser({
  q: textOf,
  tag: textOf,
  owner: textOf,
  type: oneOf('boolean', 'string', 'number', 'json'),
  lifecycle: oneOf(...lifecycleStates),
  sort: textOf,
  /** The flag whose detail is open beside the list. */
  peek: textOf,
  /** The dialog for a new flag. */
  new: trueOf,
  /** The dialog for an import from another product. */
  import: trueOf,
})
export type FlagsSearch = ReturnType<typeof parseFlagsSearch>

/** In place of the id of an owner: the account itself, and its teams. */
export const ownedByMe = 'me'

export function filterOf({ q, tag, owner, type, lifecycle }: FlagsSearch): FlagFilter {
  return {
    ...(q === undefined ? {} : { search: q }),
    ...(tag === undefined ? {} : { tag }),
    ...(owner === undefined ? {} : owner === ownedByMe ? { mine: true } : { owner }),
    ...(type === undefined ? {} : { type }),
    ...(lifecycle === undefined ? {} : { lifecycle }),
  }
}

export function isFiltered(search: FlagsSearch): boolean {
  return Object.keys(filterOf(search)).length > 0
}

export const noFilter: FlagsSearch = {
  q: undefined,
  tag: undefined,
  owner: undefined,
  type: undefined,
  lifecycle: undefined,
}

export function sortOf({ sort }: FlagsSearch): Sort {
  // Links and saved views from before verdicts of splits without a guard.
  const known = parseSort(sort === 'guard' || sort === '-guard' ? sort.replace('guard', 'harm') : sort)
  return known ?? { id: 'harm', desc: false }
}
