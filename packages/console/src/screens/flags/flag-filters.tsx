import { Link } from '@tanstack/react-router'
import { lifecycleStates } from '@telltale/core/states/lifecycle'
import { useMemo } from 'react'
import type { DescribedFlag } from '../../api/flags.ts'
import { ownerIdsOf } from '../../features/people/use-owners.ts'
import type { Person } from '../../features/people/use-people.ts'
import { Facet, type FacetValue, FilterBar } from '../../ui/filter/filter-bar.tsx'
import { lifecycleNames, typeNames } from './flag-words.ts'
import { type FlagsSearch, ownedByMe } from './flags-search.ts'

type FlagFiltersProps = {
  search: FlagsSearch
  onSearch: (change: FlagsSearch) => void
  /** The loaded flags, for counts and options. */
  flags: readonly DescribedFlag[]
  /** Whether these are all flags. */
  isAll: boolean
  owners: readonly Person[]
  note: string | undefined
}

const views = [undefined, ...lifecycleStates]

/** Lifecycle states as one-click views; below, the other filters. */
export function FlagFilters({ search, onSearch, flags, isAll, owners, note }: FlagFiltersProps) {
  const facets = useMemo(() => facetsOf(flags, owners, isAll), [flags, owners, isAll])
  const one = (name: 'type' | 'tag' | 'owner', label: string, values: readonly FacetValue[]) => (
    <Facet
      label={label}
      values={values}
      chosen={search[name] === undefined ? [] : [search[name]]}
      // The server accepts one value: use the last one chosen.
      onChosen={(chosen) => onSearch({ [name]: chosen.at(-1) })}
    />
  )

  return (
    <div className="grid min-w-0 gap-12">
      <nav aria-label="Views" className="flex min-w-0 gap-2 overflow-x-auto [scrollbar-width:none]">
        {views.map((lifecycle) => (
          <Link
            key={lifecycle ?? 'all'}
            from="/p/$project/flags"
            to="/p/$project/flags"
            search={(now) => ({ ...now, lifecycle, peek: undefined })}
            aria-current={search.lifecycle === lifecycle ? 'page' : undefined}
            activeOptions={{ exact: true, includeSearch: true }}
            className="flex h-ctl shrink-0 items-center whitespace-nowrap rounded-control px-8 font-medium text-text-2 -outline-offset-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-text"
          >
            {lifecycle === undefined ? 'All' : lifecycleNames[lifecycle]}
          </Link>
        ))}
      </nav>
      <FilterBar
        label="Filter by key or name"
        text={search.q ?? ''}
        onText={(q) => onSearch({ q: q || undefined })}
        note={note}
      >
        {one('type', 'Type', facets.types)}
        {one('tag', 'Tag', withChosen(facets.tags, search.tag))}
        {one('owner', 'Owner', withChosen(facets.owners, search.owner))}
      </FilterBar>
    </div>
  )
}

function facetsOf(flags: readonly DescribedFlag[], owners: readonly Person[], isAll: boolean) {
  const counted = (values: readonly string[]) => {
    const counts = new Map<string, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    return counts
  }
  // Without all flags loaded, a count would be wrong: show none.
  const numbered = (value: string, counts: ReadonlyMap<string, number>) =>
    isAll ? { value, count: counts.get(value) ?? 0 } : { value }
  const types = counted(flags.map(({ valueType }) => valueType))
  const tags = counted(flags.flatMap((flag) => flag.tags))
  const owned = counted(flags.flatMap((flag) => ownerIdsOf(flag)))

  return {
    types: Object.entries(typeNames).map(([value, label]) => ({ ...numbered(value, types), label })),
    tags: [...tags.keys()].toSorted((a, b) => a.localeCompare(b, 'en')).map((tag) => numbered(tag, tags)),
    owners: [
      { value: ownedByMe, label: 'You and your teams' },
      ...owners.map(({ id, name }) => ({ ...numbered(id, owned), label: name })),
    ],
  }
}

/** A value from the URL stays an option even if no loaded flag has it. */
function withChosen(values: readonly FacetValue[], chosen: string | undefined): readonly FacetValue[] {
  if (chosen === undefined || values.some(({ value }) => value === chosen)) return values
  return [{ value: chosen }, ...values]
}
