import { useInfiniteQuery } from '@tanstack/react-query'
import { membersQuery } from '../../api/members.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { Select } from '../../ui/select.tsx'
import type { ChangesSearch } from './change-requests-search.ts'

type ChangesFiltersProps<State extends string> = {
  search: ChangesSearch<State>
  states: readonly { value: State; label: string }[]
  onSearch: (change: ChangesSearch<State>) => void
}

/** By flag, state, environment and author: what the calls filter by. */
export function ChangesFilters<State extends string>(props: ChangesFiltersProps<State>) {
  const { search, states, onSearch } = props
  const { project, environments } = useScope()
  const members = useInfiniteQuery(membersQuery(project))
  const people = members.data?.pages.flatMap(({ items }) => items.map(({ user }) => user)) ?? []

  return (
    <div className="grid gap-8">
      <FilterBar
        label="Only the flag with this key"
        text={search.flag ?? ''}
        onText={(text) => onSearch({ flag: text.trim() || undefined })}
      />
      <div className="flex flex-wrap items-end gap-8">
        <Choice
          label="State"
          options={states}
          value={search.state}
          onValue={(value) => onSearch({ state: states.find((one) => one.value === value)?.value })}
        />
        <Choice
          label="Environment"
          options={environments.map(({ key, name }) => ({ value: key, label: name }))}
          value={search.on}
          onValue={(on) => onSearch({ on })}
        />
        <Choice
          label="Author"
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
          value={search.author}
          onValue={(author) => onSearch({ author })}
        />
        {hasFilter(search) && (
          <Button look="quiet" onClick={() => onSearch(noFilter)}>
            Clear
          </Button>
        )}
      </div>
    </div>
  )
}

export const noFilter = { state: undefined, on: undefined, flag: undefined, author: undefined }

export function hasFilter({ state, on, flag, author }: ChangesSearch<string>): boolean {
  return [state, on, flag, author].some((value) => value !== undefined)
}

type ChoiceProps = {
  label: string
  options: readonly { value: string; label: string }[]
  value: string | undefined
  onValue: (value: string | undefined) => void
}

/** What the address asks for is in the list, also when nobody knows it. */
function Choice({ label, options, value, onValue }: ChoiceProps) {
  const isKnown = value === undefined || options.some((option) => option.value === value)
  return (
    <div className="w-[20ch] max-wide:w-[calc(50%-4px)]">
      <Select
        label={label}
        options={[{ value: '', label: 'Any' }, ...options, ...(isKnown ? [] : [{ value, label: value }])]}
        value={value ?? ''}
        onValue={(chosen) => onValue(chosen || undefined)}
      />
    </div>
  )
}
