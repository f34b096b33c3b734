import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type DescribedFlag, flagsQuery } from '../../api/flags.ts'
import { useOwners } from '../../features/people/use-owners.ts'
import { useHarmRank } from '../../features/telltale/use-telltale.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useNewButton } from '../../shell/use-new-button.tsx'
import { Button } from '../../ui/button.tsx'
import { Async } from '../../ui/states.tsx'
import { sortText } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { flagColumns, SwitchesContext } from './flag-columns.tsx'
import { FlagFilters } from './flag-filters.tsx'
import { FlagPeek } from './flag-peek.tsx'
import { type FlagsSearch, filterOf, isFiltered, noFilter, sortOf } from './flags-search.ts'
import { ImportFlags } from './import/import-flags.tsx'
import { NewFlag } from './new-flag.tsx'
import { NoFlags, NoMatch } from './no-flags.tsx'
import { useRights } from './targeting/use-rights.ts'
import { useSwitching } from './use-switching.tsx'

export function FlagsScreen() {
  const { project, environment, environments } = useScope()
  const search = useSearch({ from: '/p/$project/flags' })
  const navigate = useNavigate({ from: '/p/$project/flags' })
  const flags = useInfiniteQuery(flagsQuery(project, filterOf(search)))
  const owners = useOwners(project)
  const switching = useSwitching()
  const rights = useRights(environment, false)
  const archivedRights = useRights(environment, true)
  const switches = {
    ...switching,
    reasonAgainst: ({ archivedAt }: DescribedFlag) =>
      (archivedAt === null ? rights : archivedRights).readOnly,
  }
  const mayChange = useMay('flags.change')
  const set = (change: FlagsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const create = () => set({ new: true })
  const newButton = useNewButton({
    label: 'New flag',
    mayCreate: mayChange,
    missing: 'editors create flags',
    create,
  })

  const pages = flags.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])
  const harmRank = useHarmRank()
  const columns = useMemo(
    () => flagColumns({ environment, environments, owners, harmRank }),
    [environment, environments, owners, harmRank],
  )
  const isAll = flags.data !== undefined && !flags.hasNextPage
  const peeked = rows.find(({ key }) => key === search.peek)

  return (
    <Screen
      title="Flags"
      actions={
        <>
          {mayChange && <Button onClick={() => set({ import: true })}>Import</Button>}
          {newButton}
        </>
      }
    >
      <FlagFilters
        search={search}
        onSearch={set}
        flags={rows}
        isAll={isAll}
        owners={owners}
        note={flags.data && countOf(rows.length, isAll)}
      />
      {switching.trouble}
      <Async
        of={flags}
        isEmpty={() => rows.length === 0}
        empty={
          isFiltered(search) ? (
            <NoMatch onClear={() => set(noFilter)} isArchived={search.lifecycle === 'archived'} />
          ) : (
            <NoFlags action={newButton} />
          )
        }
      >
        {() => (
          <SwitchesContext value={switches}>
            <DataTable<DescribedFlag>
              label="Flags"
              rows={rows}
              rowId={keyOf}
              columns={columns}
              {...(isAll
                ? { sort: sortOf(search), onSort: (sort) => set({ sort: sortText(sort) }) }
                : // Only complete lists are sorted here; until then the server's order by key applies.
                  { sorted: true, sort: { id: 'key', desc: false } })}
              onOpen={({ key }) =>
                void navigate({ to: '/p/$project/flags/$flag/targeting', params: { project, flag: key } })
              }
              onPeek={({ key }) => set({ peek: key === search.peek ? undefined : key }, true)}
              peeked={search.peek}
              more={flags}
            />
          </SwitchesContext>
        )}
      </Async>
      {peeked && <FlagPeek flag={peeked} owners={owners} onClose={() => set({ peek: undefined }, true)} />}
      {search.new && mayChange && <NewFlag project={project} onClose={() => set({ new: undefined }, true)} />}
      {search.import && mayChange && <ImportFlags onClose={() => set({ import: undefined }, true)} />}
      {switching.dialog}
    </Screen>
  )
}

const keyOf = ({ key }: DescribedFlag) => key

function countOf(count: number, isAll: boolean): string {
  const flags = count === 1 ? '1 flag' : `${count.toLocaleString('en-GB')} flags`
  return isAll ? flags : `the first ${flags}`
}
