import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import {
  type ScheduledChange,
  scheduledChangeQuery,
  scheduledChangesQuery,
} from '../../api/scheduled-changes.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty, Skeleton, Trouble } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { type ChangesSearch, type ScheduledState, scheduledStates } from './change-requests-search.ts'
import { ChangesFilters, hasFilter, noFilter } from './changes-filters.tsx'
import { EnvironmentName } from './environment-name.tsx'
import { EnvironmentTime } from './environment-time.tsx'
import { ScheduledChangeDialog } from './scheduled-change-dialog.tsx'
import { StateBadge, scheduledWords } from './state-words.tsx'

const states = scheduledStates.map((value) => ({ value, label: scheduledWords[value].word }))

export function ScheduledChangesScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/scheduled-changes' })
  const navigate = useNavigate({ from: '/p/$project/scheduled-changes' })
  const onSearch = (change: ChangesSearch<ScheduledState>) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  const { state, on: env, flag, author } = search
  const changes = useInfiniteQuery(scheduledChangesQuery(project, { state, env, flag, author }))
  const rows = changes.data?.pages.flatMap(({ items }) => items) ?? []

  return (
    <Screen
      title="Scheduled changes"
      scope="none"
      actions={
        <Link from="/p/$project" to="/p/$project/change-requests" className={buttonClass()}>
          Change requests
        </Link>
      }
    >
      <ChangesFilters search={search} states={states} onSearch={onSearch} />
      <Async
        of={changes}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <Panel>
            {hasFilter(search) ? (
              <Empty
                title="No matching scheduled changes"
                action={<Button onClick={() => onSearch(noFilter)}>Clear the filter</Button>}
              />
            ) : (
              <Empty title="No scheduled changes">
                Schedule a change of a flag on its targeting tab. Changes that need approval are change
                requests.
              </Empty>
            )}
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Scheduled changes"
            rows={rows}
            rowId={({ id }) => id}
            columns={columns}
            onOpen={({ id }) => onSearch({ change: id })}
            more={changes}
            footer="Times in each environment's time zone"
            sorted
          />
        )}
      </Async>
      {search.change !== undefined && (
        <OpenedChange id={search.change} onClose={() => onSearch({ change: undefined })} />
      )}
    </Screen>
  )
}

/** The URL may name one that is not in the list. */
function OpenedChange({ id, onClose }: { id: string; onClose: () => void }) {
  const { project } = useScope()
  const change = useQuery(scheduledChangeQuery({ project, scheduledChange: id }))
  if (change.data) return <ScheduledChangeDialog key={id} change={change.data} onClose={onClose} />
  return (
    <Dialog title="Scheduled change" onClose={onClose}>
      {change.error ? (
        <Trouble error={change.error} onRetry={() => void change.refetch()} />
      ) : (
        <Skeleton rows={4} />
      )}
    </Dialog>
  )
}

const columns: readonly Column<ScheduledChange>[] = [
  {
    id: 'flag',
    header: 'Flag',
    width: '40%',
    card: 'title',
    fixed: true,
    cell: ({ id, flag, reason, failure }) => (
      <span className="grid min-w-0 wide:py-4">
        <Link
          from="/p/$project/scheduled-changes"
          to="."
          search={(now) => ({ ...now, change: id })}
          className="truncate font-code font-medium text-12"
        >
          {flag}
        </Link>
        <span className="line-clamp-2 text-text-2 [overflow-wrap:anywhere]">
          {failure ?? reason ?? 'Without a reason'}
        </span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    card: 'aside',
    cell: ({ state }) => <StateBadge of={scheduledWords[state]} />,
  },
  {
    id: 'env',
    header: 'Environment',
    cell: ({ env, author, at }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-8 max-wide:text-12 max-wide:text-text-2">
        <EnvironmentName env={env} />
        <span className="[overflow-wrap:anywhere] wide:hidden">{author.name}</span>
        <span className="wide:hidden">
          <EnvironmentTime at={at} env={env} />
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
    id: 'at',
    header: 'For',
    align: 'end',
    card: 'none',
    cell: ({ at, env }) => <EnvironmentTime at={at} env={env} />,
  },
]
