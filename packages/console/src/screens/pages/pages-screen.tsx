import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { emptyFilter } from '@telltale/core/query/filter'
import { useMemo } from 'react'
import { pagesQuery } from '../../api/pages.ts'
import { BotSwitch } from '../../shell/bot-switch.tsx'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { SampleNote } from '../../shell/sample-note.tsx'
import { Screen } from '../../shell/screen.tsx'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { pageColumns } from './page-columns.tsx'
import { PagePeek } from './page-peek.tsx'
import { type PagesSearch, pageSorts } from './pages-search.ts'

/** The pages of the application by route, with their vitals. */
export function PagesScreen() {
  const { question, filter, fault, setFilter } = useQuestion()
  const { search, sort = 'views', peek } = useSearch({ from: '/p/$project/pages' })
  const navigate = useNavigate({ from: '/p/$project/pages' })
  const loadValues = useFilterValues(question)
  const pages = useInfiniteQuery(pagesQuery(question, { sort, search }))
  const rows = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data])
  const peeked = rows.find(({ page }) => page === peek)
  const set = (change: PagesSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const isFiltered = filter.chips.length + filter.words.length > 0 || search !== undefined

  return (
    <Screen title="Pages" scope="environment-and-time">
      <div className="grid gap-8">
        <TelemetryFilter
          label="Filter: device:mobile, flag:checkout=new, country:DE"
          filter={filter}
          onFilter={setFilter}
          fault={fault}
          loadValues={loadValues}
          after={<BotSwitch question={question} filter={filter} onFilter={setFilter} />}
        />
        <FilterBar
          label="Search pages"
          isSecond
          text={search ?? ''}
          onText={(text) => set({ search: text || undefined })}
          note={
            pages.data && (
              <>
                {countText(rows.length, pages.hasNextPage)}
                <SampleNote isAfterText sample={pages.data.pages[0]?.sample} />
              </>
            )
          }
        />
      </div>
      <Async
        of={pages}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            <NothingFound
              of="pages"
              onClear={
                isFiltered
                  ? () => {
                      setFilter(emptyFilter)
                      set({ search: undefined, q: undefined })
                    }
                  : undefined
              }
            />
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Pages"
            rows={rows}
            rowId={({ page }) => page}
            columns={pageColumns}
            tall={false}
            sorted
            sort={{ id: sort, desc: sort !== 'good' }}
            onSort={({ id }) => set({ sort: pageSorts.find((one) => one === id) })}
            onOpen={({ page }) =>
              page !== '' &&
              void navigate({ to: '/p/$project/pages/$page', params: { page }, search: ({ q }) => ({ q }) })
            }
            onPeek={({ page }) => set({ peek: page === peek ? undefined : page }, true)}
            peeked={peek}
            more={pages}
          />
        )}
      </Async>
      {peeked && <PagePeek row={peeked} filter={filter} onClose={() => set({ peek: undefined }, true)} />}
    </Screen>
  )
}

function countText(loaded: number, hasMore: boolean): string {
  return hasMore ? `the first ${countOf(loaded, 'page')}` : countOf(loaded, 'page')
}
