import { useInfiniteQuery } from '@tanstack/react-query'
import { membersQuery } from '../../api/members.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { Facet, type FacetValue, FilterBar } from '../../ui/filter/filter-bar.tsx'
import type { ChangesSearch } from './change-requests-search.ts'

type ChangesFiltersProps<State extends string> = {
  search: ChangesSearch<State>
  states: readonly { value: State; label: string }[]
  onSearch: (change: ChangesSearch<State>) => void
}

/** By flag, state, environment and author: the filters of the calls. */
export function ChangesFilters<State extends string>(props: ChangesFiltersProps<State>) {
  const { search, states, onSearch } = props
  const { project, environments } = useScope()
  const members = useInfiniteQuery(membersQuery(project))
  const people = members.data?.pages.flatMap(({ items }) => items.map(({ user }) => user)) ?? []

  const one = (name: 'state' | 'on' | 'author', label: string, values: readonly FacetValue[]) => {
    const chosen = search[name]
    return (
      <Facet
        label={label}
        values={withChosen(values, chosen)}
        chosen={chosen === undefined ? [] : [chosen]}
        // The server accepts one value: use the last one chosen.
        onChosen={(all) => onSearch({ [name]: all.at(-1) })}
      />
    )
  }

  return (
    <FilterBar
      label="Flag key"
      text={search.flag ?? ''}
      onText={(text) => onSearch({ flag: text.trim() || undefined })}
    >
      {one('state', 'State', states)}
      {one(
        'on',
        'Environment',
        environments.map(({ key, name }) => ({ value: key, label: name })),
      )}
      {one(
        'author',
        'Author',
        people.map(({ id, name }) => ({ value: id, label: name })),
      )}
      {hasFilter(search) && (
        <Button look="quiet" onClick={() => onSearch(noFilter)}>
          Clear
        </Button>
      )}
    </FilterBar>
  )
}

export const noFilter = { state: undefined, on: undefined, flag: undefined, author: undefined }

export function hasFilter({ state, on, flag, author }: ChangesSearch<string>): boolean {
  return [state, on, flag, author].some((value) => value !== undefined)
}

/** A value from the URL stays in the list even if it is unknown. */
function withChosen(values: readonly FacetValue[], chosen: string | undefined): readonly FacetValue[] {
  if (chosen === undefined || values.some(({ value }) => value === chosen)) return values
  return [{ value: chosen }, ...values]
}
