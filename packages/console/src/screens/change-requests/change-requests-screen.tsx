import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ChangeRequestState, changeRequestStates } from '@telltale/core/states/change-request'
import { type ChangeRequest, changeRequestsQuery } from '../../api/change-requests.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import type { ChangesSearch } from './change-requests-search.ts'
import { ChangesFilters, hasFilter, noFilter } from './changes-filters.tsx'
import { EnvironmentName } from './environment-name.tsx'
import { EnvironmentTime } from './environment-time.tsx'
import { requestWords, StateBadge } from './state-words.tsx'

const states = changeRequestStates.map((value) => ({ value, label: requestWords[value].word }))

export function ChangeRequestsScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/change-requests' })
  const navigate = useNavigate({ from: '/p/$project/change-requests' })
  const onSearch = (change: ChangesSearch<ChangeRequestState>) =>
    void navigate({ search: (now) => ({ ...now, ...change }) })
  const { state, on: env, flag, author } = search
  const requests = useInfiniteQuery(changeRequestsQuery(project, { state, env, flag, author }))
  const rows = requests.data?.pages.flatMap(({ items }) => items) ?? []

  return (
    <Screen
      title="Change requests"
      scope="none"
      actions={
        <Link from="/p/$project" to="/p/$project/scheduled-changes" className={buttonClass()}>
          Scheduled changes
        </Link>
      }
    >
      <ChangesFilters search={search} states={states} onSearch={onSearch} />
      <Async
        of={requests}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <Panel>
            {hasFilter(search) ? (
              <Empty
                title="No matching change requests"
                action={<Button onClick={() => onSearch(noFilter)}>Clear the filter</Button>}
              />
            ) : (
              <Empty title="No change requests yet">
                If an environment requires approval, saving a flag there opens a change request. Nothing
                changes until a second member approves it.
              </Empty>
            )}
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Change requests"
            rows={rows}
            rowId={({ id }) => id}
            columns={columns}
            onOpen={({ id }) =>
              void navigate({
                to: '/p/$project/change-requests/$changeRequest',
                params: { project, changeRequest: id },
              })
            }
            more={requests}
            sorted
          />
        )}
      </Async>
    </Screen>
  )
}

const columns: readonly Column<ChangeRequest>[] = [
  {
    id: 'flag',
    header: 'Flag',
    width: '40%',
    card: 'title',
    fixed: true,
    cell: ({ id, flag, reason }) => (
      <span className="grid min-w-0 wide:py-4">
        <Link
          from="/p/$project/change-requests"
          to="/p/$project/change-requests/$changeRequest"
          params={{ changeRequest: id }}
          className="truncate font-code font-medium text-12"
        >
          {flag}
        </Link>
        <span className="line-clamp-2 text-text-2 [overflow-wrap:anywhere]">
          {reason ?? 'Without a reason'}
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    card: 'aside',
    cell: ({ state }) => <StateBadge of={requestWords[state]} />,
  },
  {
    id: 'env',
    header: 'Environment',
    cell: ({ env, author, createdAt }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-8 max-wide:text-12 max-wide:text-text-2">
        <EnvironmentName env={env} />
        <span className="[overflow-wrap:anywhere] wide:hidden">{author.name}</span>
        <span className="wide:hidden">
          <TimeAgo at={createdAt} />
        </span>
      </span>
    ),
  },
  {
    id: 'author',
    header: 'By',
    card: 'none',
    cell: ({ author }) => <span className="line-clamp-1 [overflow-wrap:anywhere]">{author.name}</span>,
  },
  {
    id: 'scheduled',
    header: 'Scheduled for',
    hideBelow: 'full',
    card: 'none',
    cell: ({ scheduledFor, env }) => <EnvironmentTime at={scheduledFor} env={env} none="–" />,
  },
  {
    id: 'at',
    header: 'Opened',
    align: 'end',
    card: 'none',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
]
