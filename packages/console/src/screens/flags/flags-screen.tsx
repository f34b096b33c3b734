import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FlagRow } from '../../api/flags.ts'
import { flagsQuery } from '../../api/flags.ts'
import { useMay } from '../../shell/account.ts'
import { usePaletteEntries } from '../../shell/palette/registry.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter-bar.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { flagColumns } from './flag-columns.tsx'
import { type FlagsSearch, lifecycles, lifecycleWords } from './flags-search.ts'
import { NewFlag } from './new-flag.tsx'

const missingPermission = 'Your role may look, not change: editors create flags.'
const states = [
  { value: '', label: 'All but archived' },
  ...lifecycles.map((value) => ({ value, label: lifecycleWords[value] })),
]

export function FlagsScreen() {
  const { project, environments, environment } = useScope()
  const search = useSearch({ from: '/p/$project/flags' })
  const navigate = useNavigate({ from: '/p/$project/flags' })
  const mayChange = useMay('flags.change')
  const flags = useInfiniteQuery(flagsQuery(project, { search: search.q, lifecycle: search.state }))
  const set = (change: FlagsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace })
  const create = () => set({ new: true })
  useShortcut(mayChange ? { keys: 'c', label: 'New flag', run: create } : undefined)
  usePaletteEntries(
    mayChange ? [{ id: 'new-flag', group: 'Do', icon: 'plus', label: 'New flag', run: create }] : [],
  )

  const isFiltered = search.q !== undefined || search.state !== undefined
  const newButton = (
    <Button
      look="primary"
      icon="plus"
      onClick={create}
      disabled={!mayChange}
      title={mayChange ? undefined : missingPermission}
    >
      New flag
    </Button>
  )
  return (
    <Screen title="Flags" actions={newButton}>
      <FilterBar
        label="Filter by key or name"
        text={search.q ?? ''}
        onText={(q) => set({ q: q || undefined }, true)}
        note={
          flags.data && countText(flags.data.pages.flatMap(({ items }) => items).length, flags.hasNextPage)
        }
      >
        <Select
          label="Lifecycle"
          hideLabel
          options={states}
          value={search.state ?? ''}
          onValue={(value) => set({ state: lifecycles.find((state) => state === value) })}
        />
      </FilterBar>
      <Async of={flags}>
        {({ pages }) => {
          const rows: FlagRow[] = pages.flatMap(({ items }) => items)
          if (rows.length > 0) {
            return (
              <DataTable
                label="Flags"
                rows={rows}
                rowId={({ key }) => key}
                columns={flagColumns(environments, environment.key)}
                sorted
                more={flags}
                onOpen={({ key }) =>
                  void navigate({
                    to: '/p/$project/flags/$flag/$tab',
                    params: { project, flag: key, tab: 'targeting' },
                  })
                }
              />
            )
          }
          return (
            <Panel>
              {isFiltered ? (
                <Empty
                  title="No flag fits the filter"
                  action={
                    <Button onClick={() => set({ q: undefined, state: undefined })}>Clear the filter</Button>
                  }
                />
              ) : (
                <Empty title="No flags yet" action={newButton}>
                  A flag is a decision that can be changed while the application runs: who sees the new
                  checkout, which text a banner has. It starts switched off everywhere.
                </Empty>
              )}
            </Panel>
          )
        }}
      </Async>
      {search.new && mayChange && <NewFlag project={project} onClose={() => set({ new: undefined }, true)} />}
    </Screen>
  )
}

function countText(count: number, hasMore: boolean): string {
  const flags = count === 1 ? '1 flag' : `${count} flags`
  return hasMore ? `first ${flags}` : flags
}
