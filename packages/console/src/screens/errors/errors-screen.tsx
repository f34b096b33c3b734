import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type IssueRow, issuesQuery } from '../../api/issues.ts'
import { toProblem } from '../../api/problem.ts'
import { useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { SampleNote } from '../../shell/sample-note.tsx'
import { Screen } from '../../shell/screen.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Selection } from '../../ui/table/table-row.tsx'
import { ErrorsFilters } from './errors-filters.tsx'
import { type ErrorsSearch, issueFilterOf, issueSorts } from './errors-search.ts'
import { issueColumns } from './issue-columns.tsx'
import { IssuePeek } from './issue-peek.tsx'
import { titleOf } from './issue-words.ts'
import { SelectionBar } from './selection-bar.tsx'
import { stillOrder } from './still-order.ts'

export function ErrorsScreen() {
  const requested = useQuestion()
  const { question } = requested
  const search = useSearch({ from: '/p/$project/errors' })
  const navigate = useNavigate({ from: '/p/$project/errors' })
  const set = (change: ErrorsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const filter = issueFilterOf(search)
  const issues = useInfiniteQuery(issuesQuery(question, filter))
  const pages = issues.data?.pages
  const listed = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])
  const still = useStillOrder(
    listed,
    issues.isPlaceholderData ? '' : JSON.stringify([filter, question.range, question.filter]),
  )
  const { rows } = still
  const selection = useSelection(rows)
  const columns = useColumns(requested)
  const peeked = rows.find(({ id }) => id === search.peek)
  const problem = issues.error && toProblem(issues.error)
  const filterFault = problem?.errors.find(({ pointer }) => pointer === '?filter')?.message
  const isNarrowed = question.filter !== '' || search.assignee !== undefined

  return (
    <Screen title="Errors" scope="environment-and-time">
      <ErrorsFilters
        requested={requested}
        search={search}
        onSearch={set}
        states={pages?.[0]?.states}
        fault={filterFault}
      />
      {still.fresh > 0 && (
        <div>
          <Button size="small" onClick={still.showFresh}>
            {still.fresh === 1 ? '1 error' : `${still.fresh} errors`} new: show
          </Button>
        </div>
      )}
      {(pages?.[0]?.sample ?? 1) > 1 && (
        <p className="text-12 text-text-2">
          Suspects: <SampleNote sample={pages?.[0]?.sample} />
        </p>
      )}
      {filterFault === undefined && (
        <Async
          of={issues}
          isEmpty={() => rows.length === 0}
          empty={
            <Panel>
              <NothingFound
                of="errors"
                onClear={
                  isNarrowed
                    ? () => {
                        set({ assignee: undefined, q: undefined })
                      }
                    : undefined
                }
                otherwise={nothingIn[search.state ?? 'open']}
              />
            </Panel>
          }
        >
          {() => (
            <DataTable<IssueRow>
              label="Errors"
              rows={rows}
              rowId={idOf}
              rowName={titleOf}
              columns={columns}
              sorted
              sort={{ id: search.sort ?? 'users', desc: true }}
              // The server only sorts in descending order: most, or newest, first.
              onSort={({ id }) => set({ sort: issueSorts.find((one) => one === id && one !== 'users') })}
              onOpen={({ id }) =>
                void navigate({
                  to: '/p/$project/errors/$issue',
                  params: (now) => ({ ...now, issue: id }),
                  search: ({ q }) => ({ q }),
                })
              }
              onPeek={({ id }) => set({ peek: id === search.peek ? undefined : id }, true)}
              peeked={search.peek}
              selection={selection.of}
              more={issues}
            />
          )}
        </Async>
      )}
      <SelectionBar issues={selection.rows} onClear={selection.clear} />
      {peeked && <IssuePeek issue={peeked} onClose={() => set({ peek: undefined }, true)} />}
    </Screen>
  )
}

const idOf = ({ id }: IssueRow) => id

const nothingIn = {
  open: {
    title: 'No open errors in this time range',
    detail: 'No users were affected by an unresolved error. Good news.',
  },
  regressed: { title: 'No regressed errors', detail: 'No resolved error has come back in a later version.' },
  resolved: {
    title: 'No resolved errors in this time range',
    detail: 'Resolved errors that occurred in this time range appear here.',
  },
  ignored: { title: 'No ignored errors in this time range', detail: 'Errors you ignore appear here.' },
  all: { title: 'No errors in this time range', detail: 'No users were affected. Good news.' },
}

/** With flag changes marked in every sparkline. */
function useColumns({ question }: Pick<ReturnType<typeof useQuestion>, 'question'>) {
  const markers = useFlagMarkers(question)
  const { from, to } = question.bounds()
  const places = markers.map(({ at }) => (at - from) / (to - from)).filter((at) => at > 0 && at < 1)
  // To a percent: the columns stay stable while the period advances slightly.
  const key = [...new Set(places.map((at) => Math.round(at * 100)))].join(' ')
  return useMemo(() => issueColumns(key === '' ? [] : key.split(' ').map((at) => Number(at) / 100)), [key])
}

interface Still<Row> {
  readonly rows: readonly Row[]
  /** How many new rows wait to be shown. */
  readonly fresh: number
  readonly showFresh: () => void
}

/**
 * Rows that are polled keep their order when their counts change, so that nothing moves under the pointer. New
 * rows wait. `of` identifies the list: a different list gets a new order.
 */
function useStillOrder<Row extends { id: string }>(rows: readonly Row[], of: string): Still<Row> {
  const [kept, setKept] = useState<{ of: string; ids: readonly string[] }>({ of, ids: [] })
  const known = kept.of === of ? kept.ids : []
  const still = stillOrder(rows, known)
  // Set while rendering, as React recommends for state derived from props: before the first paint.
  if (kept.of !== of || still.ids.length !== known.length) setKept({ of, ids: still.ids })
  return {
    rows: still.rows,
    fresh: still.fresh,
    showFresh: () => setKept({ of, ids: rows.map(({ id }) => id) }),
  }
}

interface Selected<Row> {
  /** For the table. */
  readonly of: Selection
  /** Selected rows that are still listed. */
  readonly rows: readonly Row[]
  readonly clear: () => void
}

/** Selected rows, by id. */
function useSelection<Row extends { id: string }>(rows: readonly Row[]): Selected<Row> {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  return {
    of: {
      selected,
      onToggle: (id) =>
        setSelected((before) => {
          const next = new Set(before)
          if (!next.delete(id)) next.add(id)
          return next
        }),
      onAll: (ids) => setSelected(new Set(ids)),
    },
    rows: selected.size === 0 ? [] : rows.filter(({ id }) => selected.has(id)),
    clear: () => setSelected(new Set()),
  }
}
