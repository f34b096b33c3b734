import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  listKey,
  newSessionsAtMost,
  newSessionsQuery,
  type SessionPage,
  type SessionQuestion,
  type SessionRow,
  type SessionSort,
} from '../../api/sessions.ts'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { sessionColumns } from './session-columns.tsx'
import { SessionPeek } from './session-peek.tsx'
import type { ListSearch, SessionsSearch } from './sessions-search.ts'
import { useVariationOrder } from './use-variation-orders.ts'

type SessionListProps = {
  requested: SessionQuestion
  sessions: UseInfiniteQueryResult<InfiniteData<SessionPage>>
  search: SessionsSearch
  flag: string | undefined
  onSearch: (change: SessionsSearch, replace?: boolean) => void
  onClear: (() => void) | undefined
}

export function SessionList({ requested, sessions, search, flag, onSearch, onClear }: SessionListProps) {
  const { project } = useScope()
  const navigate = useNavigate()
  const order = useVariationOrder()
  const rows = useMemo(() => sessions.data?.pages.flatMap(({ items }) => items) ?? [], [sessions.data])
  const { q, seq, sort } = search
  const list = useMemo((): ListSearch => ({ q, seq, sort }), [q, seq, sort])
  const columns = useMemo(() => sessionColumns({ flag, order, list }), [flag, order, list])
  const peeked = rows.find(({ id }) => id === search.peek)
  const peek = (id: string | undefined) => onSearch({ peek: id }, true)

  return (
    <div className="grid min-w-0 gap-8">
      <NewSessions requested={requested} since={sessions.data?.pages[0]?.period.to} rows={rows} sort={sort} />
      <Async
        of={sessions}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            <NothingFound of="sessions" onClear={onClear} />
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Sessions"
            rows={rows}
            rowId={({ id }) => id}
            columns={columns}
            sorted
            tall={false}
            onOpen={({ id: session }) =>
              void navigate({
                to: '/p/$project/sessions/$session',
                params: { project, session },
                search: list,
              })
            }
            onPeek={({ id }) => peek(id === search.peek ? undefined : id)}
            peeked={search.peek}
            more={sessions}
          />
        )}
      </Async>
      {peeked && <SessionPeek session={peeked} list={list} onClose={() => peek(undefined)} />}
    </div>
  )
}

type NewSessionsProps = {
  requested: SessionQuestion
  since: string | undefined
  rows: readonly SessionRow[]
  sort: SessionSort | undefined
}

/** Sessions that started after the list was loaded wait here, so that the list does not move. */
function NewSessions({ requested, since = '', rows, sort }: NewSessionsProps) {
  const { data: newest = [] } = useQuery(newSessionsQuery(requested, since || undefined))
  const queryClient = useQueryClient()
  const listed = new Set(rows.map(({ id }) => id))
  // When sorted by something else, unlisted ones may be further down.
  const count = newest.filter(
    ({ id, startedAt }) => !listed.has(id) && (sort === undefined || sort === 'newest' || startedAt >= since),
  ).length
  if (count === 0) return null
  return (
    <div className="justify-self-center">
      <Button
        icon="up"
        onClick={() => {
          window.scrollTo({ top: 0 })
          void queryClient.resetQueries({ queryKey: listKey(requested.question) })
        }}
      >
        {count >= newSessionsAtMost ? `${count} or more new` : `${count} new`}
      </Button>
    </div>
  )
}
