import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type RequestRow, requestsQuery } from '../../api/requests.ts'
import { BotSwitch } from '../../shell/bot-switch.tsx'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { SampleNote } from '../../shell/sample-note.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Segmented } from '../../ui/form/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { requestColumns } from './request-columns.tsx'
import { RequestPeek } from './request-peek.tsx'
import { listOf, nameOf, parseRequestsSearch, type RequestsSearch } from './requests-search.ts'

const parties = [
  { value: 'all', label: 'All hosts' },
  { value: 'own', label: 'First party' },
  { value: 'third', label: 'Third party' },
] as const

/** The application's requests by method, host and template: rate, duration, failures. */
export function RequestsScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/requests' })
  const navigate = useNavigate({ from: '/p/$project/requests' })
  const { question, filter, fault, setFilter } = useQuestion()
  const loadValues = useFilterValues(question)
  const set = (change: RequestsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const list = listOf(search)
  const requests = useInfiniteQuery(requestsQuery(question, list))
  const pages = requests.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])
  const peeked = rows.find((row) => nameOf(row) === search.peek)
  const isNarrowed = search.q !== undefined || search.find !== undefined || search.party !== undefined

  return (
    <Screen title="Requests" scope="environment-and-time">
      <TelemetryFilter
        label="Filter: page:/cart, flag:checkout=new, failed:true, words"
        filter={filter}
        onFilter={setFilter}
        fault={fault}
        loadValues={loadValues}
      />
      <FilterBar
        label="Search hosts and endpoints"
        text={search.find ?? ''}
        onText={(find) => set({ find: find || undefined })}
        isSecond
        note={
          rows.length > 0 && (
            <>
              {countOf(rows.length, requests.hasNextPage)}
              <SampleNote isAfterText sample={pages?.[0]?.sample} />
            </>
          )
        }
      >
        <Segmented
          label="Hosts"
          choices={parties}
          value={search.party ?? 'all'}
          onValue={(party) => set({ party: party === 'all' ? undefined : party })}
        />
        <BotSwitch question={question} filter={filter} onFilter={setFilter} />
      </FilterBar>
      <Async
        of={requests}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            <NothingFound
              of="requests"
              onClear={
                isNarrowed ? () => set({ q: undefined, find: undefined, party: undefined }) : undefined
              }
            />
          </Panel>
        }
      >
        {() => (
          <DataTable<RequestRow>
            label="Requests"
            rows={rows}
            rowId={nameOf}
            columns={requestColumns}
            sorted
            sort={{ id: list.sort, desc: true }}
            // Always descending: Explore can sort by the fewest or fastest.
            onSort={({ id }) => set({ sort: parseRequestsSearch({ sort: id }).sort })}
            onOpen={({ endpoint, method, host }) =>
              void navigate({
                to: '/p/$project/requests/$endpoint',
                params: { project, endpoint },
                search: ({ q }) => ({ q, method, host }),
              })
            }
            onPeek={(row) => set({ peek: nameOf(row) === search.peek ? undefined : nameOf(row) }, true)}
            peeked={search.peek}
            more={requests}
          />
        )}
      </Async>
      {peeked && (
        <RequestPeek row={peeked} question={question} onClose={() => set({ peek: undefined }, true)} />
      )}
    </Screen>
  )
}

function countOf(count: number, hasMore: boolean): string {
  const text = count === 1 ? '1 endpoint' : `${count.toLocaleString('en-GB')} endpoints`
  return hasMore ? `the first ${text}` : text
}
