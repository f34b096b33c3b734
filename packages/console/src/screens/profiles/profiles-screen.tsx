import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { emptyFilter } from '@telltale/core/query/filter'
import { profilePagesQuery } from '../../api/profiles.ts'
import { Screen } from '../../shell/screen.tsx'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Async } from '../../ui/states.tsx'
import { parseSort, sortText } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { NoProfiles } from './no-profiles.tsx'
import { profilePageColumns } from './profile-page-columns.tsx'

/** Script time: the profiled pages, with their most expensive functions. */
export function ProfilesScreen() {
  const { question, filter, fault, setFilter } = useQuestion()
  const { sort } = useSearch({ from: '/p/$project/profiles' })
  const navigate = useNavigate({ from: '/p/$project/profiles' })
  const pages = useQuery(profilePagesQuery(question))
  const isFiltered = filter.chips.length + filter.words.length > 0

  return (
    <Screen title="Profiles" scope="environment-and-time">
      <TelemetryFilter
        label="Filter: browser:Chrome, flag:checkout=new, version:1.4.0"
        filter={filter}
        onFilter={setFilter}
        fault={fault}
        loadValues={useFilterValues(question)}
      />
      <Async
        of={pages}
        empty={<NoProfiles onClear={isFiltered ? () => setFilter(emptyFilter) : undefined} />}
      >
        {(rows) => (
          <DataTable
            label="Pages with profiles"
            rows={rows}
            rowId={({ page }) => page}
            columns={profilePageColumns}
            tall={false}
            sort={parseSort(sort) ?? { id: 'total', desc: true }}
            onSort={(next) =>
              void navigate({ search: (now) => ({ ...now, sort: sortText(next) }), resetScroll: false })
            }
            onOpen={({ page }) =>
              page !== '' &&
              void navigate({
                to: '/p/$project/profiles/$page',
                params: { page },
                search: ({ q }) => ({ q }),
              })
            }
          />
        )}
      </Async>
    </Screen>
  )
}
