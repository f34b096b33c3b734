import type { FlagFilter, Lifecycle, ValueType } from '../../api/flags.ts'
import { parseSort, type Sort } from '../../ui/table/column.ts'
import { textOf } from '../../ui/text/text-of.ts'

const types: readonly ValueType[] = ['boolean', 'string', 'number', 'json']
const lifecycles: readonly Lifecycle['state'][] = ['new', 'live', 'rolled-out', 'stale', 'archived']

/** The list's state in the URL. */
export interface FlagsSearch {
  q?: string | undefined
  tag?: string | undefined
  owner?: string | undefined
  type?: ValueType | undefined
  lifecycle?: Lifecycle['state'] | undefined
  sort?: string | undefined
  /** The flag whose detail is open beside the list. */
  peek?: string | undefined
  /** The dialog for a new flag. */
  new?: true | undefined
}

/** Names every parameter: omitted ones would pass through unvalidated. */
export function parseFlagsSearch(search: Record<string, unknown>): FlagsSearch {
  return {
    q: textOf(search.q),
    tag: textOf(search.tag),
    owner: textOf(search.owner),
    type: types.find((one) => one === search.type),
    lifecycle: lifecycles.find((one) => one === search.lifecycle),
    sort: textOf(search.sort),
    peek: textOf(search.peek),
    new: search.new === true ? true : undefined,
  }
}

export function filterOf({ q, tag, owner, type, lifecycle }: FlagsSearch): FlagFilter {
  return {
    ...(q === undefined ? {} : { search: q }),
    ...(tag === undefined ? {} : { tag }),
    ...(owner === undefined ? {} : { owner }),
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
  return parseSort(sort) ?? { id: 'key', desc: false }
}
