import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { percentText } from '@telltale/core/changes/condition-words'
import { type Holdout, holdoutsQuery } from '../../../api/holdouts.ts'
import { useMayHere } from '../../../shell/account.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Screen } from '../../../shell/screen.tsx'
import { useNewButton } from '../../../shell/use-new-button.tsx'
import { DocsLink } from '../../../ui/docs-link.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { Time } from '../../../ui/text/time.tsx'
import { ExperimentState } from '../experiment-state.tsx'
import { ExperimentTabs } from '../experiment-tabs.tsx'
import { NewHoldout } from './new-holdout.tsx'

/** The holdouts of the environment, running and ended. */
export function HoldoutsScreen() {
  const { project, environment } = useScope()
  const search = useSearch({ from: '/p/$project/experiments/holdouts' })
  const navigate = useNavigate({ from: '/p/$project/experiments/holdouts' })
  const holdouts = useQuery(holdoutsQuery({ project, env: environment.key }))
  const mayChange = useMayHere('flags.change')
  const setNew = (isNew: true | undefined) =>
    void navigate({ search: (now) => ({ ...now, new: isNew }), replace: true, resetScroll: false })
  const newButton = useNewButton({
    label: 'New holdout',
    mayCreate: mayChange,
    missing: 'editors start holdouts',
    create: () => setNew(true),
  })
  const open = (holdout: string) =>
    void navigate({ to: '/p/$project/experiments/holdouts/$holdout', params: { project, holdout } })
  return (
    <Screen title="Experiments" actions={newButton} tabs={<ExperimentTabs />}>
      <Async
        of={holdouts}
        isEmpty={(items) => items.length === 0}
        empty={
          <Empty title="No holdouts yet" action={newButton}>
            A holdout keeps a share of users out of your flags for a quarter, say, and measures what all
            changes did together. <DocsLink page="guides/experiments">Read the guide</DocsLink>.
          </Empty>
        }
      >
        {(rows) => (
          <DataTable
            label="Holdouts"
            rows={rows}
            rowId={({ key }) => key}
            rowName={({ name }) => name}
            columns={columns}
            onOpen={({ key }) => open(key)}
          />
        )}
      </Async>
      {search.new && mayChange && (
        <NewHoldout onCreated={({ key }) => open(key)} onClose={() => setNew(undefined)} />
      )}
    </Screen>
  )
}

const columns: readonly Column<Holdout>[] = [
  {
    id: 'name',
    header: 'Holdout',
    fixed: true,
    card: 'title',
    width: '34%',
    cell: ({ key, name }) => (
      <span className="grid min-w-0">
        <Link
          from="/p/$project/experiments/holdouts"
          to="/p/$project/experiments/holdouts/$holdout"
          params={{ holdout: key }}
          className="min-w-0 truncate font-medium"
          title={name}
        >
          {name}
        </Link>
        <code className="truncate text-12 text-text-2">{key}</code>
      </span>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <ExperimentState state={state} />, card: 'aside' },
  { id: 'share', header: 'Share', cell: ({ share }) => `${percentText(share)} held out` },
  {
    id: 'flags',
    header: 'Flags',
    cell: ({ flags }) => (
      <span className="text-text-2">{flags === null ? 'all flags' : countOf(flags.length, 'flag')}</span>
    ),
  },
  {
    id: 'started',
    header: 'Started',
    cell: ({ createdAt, createdBy }) => (
      <span className="grid text-text-2">
        <Time at={createdAt} />
        <span className="truncate text-12 text-text-3">{createdBy}</span>
      </span>
    ),
  },
  {
    id: 'end',
    header: 'End',
    cell: ({ endedAt, overAt, whenOver }) => (
      <span className="grid text-text-2">
        <Time at={endedAt ?? overAt} none="open" />
        {endedAt === null && overAt !== null && (
          <span className="truncate text-12 text-text-3">
            {whenOver === 'repeat' ? 'then the next' : whenOver === 'end' ? 'by date' : 'planned'}
          </span>
        )}
      </span>
    ),
  },
]
