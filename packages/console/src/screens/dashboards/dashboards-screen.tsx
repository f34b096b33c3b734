import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type DashboardRow, dashboardsQuery } from '../../api/dashboards.ts'
import { templates } from '../../features/dashboards/templates.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useNewButton } from '../../shell/use-new-button.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { ImportDashboard } from './import-dashboard.tsx'
import { NewDashboard } from './new-dashboard.tsx'

/** The dashboards of a project, newest first. */
export function DashboardsScreen() {
  const { project } = useScope()
  const { search, new: isNew } = useSearch({ from: '/p/$project/dashboards' })
  const navigate = useNavigate({ from: '/p/$project/dashboards' })
  const mayChange = useMay('flags.change')
  const found = useInfiniteQuery(dashboardsQuery(project, search))
  const [template, setTemplate] = useState<string>()
  const [isImport, setImport] = useState(false)
  const set = (change: { search?: string | undefined; new?: true | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace: true })
  const create = (of?: string) => {
    setTemplate(of)
    set({ new: true })
  }
  const button = useNewButton({
    label: 'New dashboard',
    mayCreate: mayChange,
    missing: 'editors create dashboards',
    create: () => create(),
  })
  const rows = (found.data?.pages ?? []).flatMap(({ items }) => items)

  return (
    <Screen title="Dashboards" scope="none" actions={button}>
      {(rows.length > 0 || search !== undefined) && (
        <FilterBar
          label="Filter by name or description"
          text={search ?? ''}
          onText={(text) => set({ search: text.trim() || undefined })}
        >
          <Button onClick={() => setImport(true)} disabled={!mayChange}>
            Import
          </Button>
        </FilterBar>
      )}
      <Async
        of={found}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            {search === undefined ? (
              <NoDashboards mayChange={mayChange} onTemplate={create} onImport={() => setImport(true)} />
            ) : (
              <Empty
                title="No dashboards match the filter"
                action={<Button onClick={() => set({ search: undefined })}>Clear the filter</Button>}
              />
            )}
          </Panel>
        }
      >
        {() => (
          <DataTable<DashboardRow>
            label="Dashboards"
            rows={rows}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            columns={columns}
            sorted
            more={found}
            onOpen={({ id }) =>
              void navigate({ to: '/p/$project/dashboards/$dashboard', params: { project, dashboard: id } })
            }
          />
        )}
      </Async>
      {isNew && mayChange && (
        <NewDashboard project={project} template={template} onClose={() => set({ new: undefined })} />
      )}
      {isImport && <ImportDashboard project={project} onClose={() => setImport(false)} />}
    </Screen>
  )
}

type NoDashboardsProps = { mayChange: boolean; onTemplate: (id?: string) => void; onImport: () => void }

function NoDashboards({ mayChange, onTemplate, onImport }: NoDashboardsProps) {
  return (
    <div className="grid gap-16 pb-20">
      <Empty title="No dashboards yet">
        A dashboard shows charts, vitals, rollouts and alerts side by side, for the team or on a wall.
        {mayChange ? ' Start with a template.' : ' Editors create them.'}
      </Empty>
      {mayChange && (
        <>
          <ul className="mx-auto grid w-full max-w-review gap-8 px-14 wide:grid-cols-2">
            {templates.map(({ id, name, note }) => (
              <li key={id}>
                <button
                  type="button"
                  onClick={() => onTemplate(id)}
                  className="grid h-full w-full cursor-pointer content-start gap-2 rounded-control border border-line px-12 py-10 text-left hover:bg-hover"
                >
                  <span className="font-medium">{name}</span>
                  <span className="text-12 text-text-3">{note}</span>
                </button>
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap justify-center gap-8">
            <Button onClick={() => onTemplate()}>Empty dashboard</Button>
            <Button onClick={onImport}>Import</Button>
          </div>
        </>
      )}
    </div>
  )
}

const columns: readonly Column<DashboardRow>[] = [
  {
    id: 'name',
    header: 'Dashboard',
    fixed: true,
    card: 'title',
    cell: ({ id, name, description }) => (
      <span className="grid min-w-0 py-4">
        <Link
          from="/p/$project"
          to="/p/$project/dashboards/$dashboard"
          params={{ dashboard: id }}
          className="truncate font-medium"
        >
          {name}
        </Link>
        {description && <span className="truncate text-12 text-text-3">{description}</span>}
      </span>
    ),
  },
  {
    id: 'tiles',
    header: 'Tiles',
    align: 'end',
    width: '10ch',
    card: 'aside',
    cell: ({ tiles }) => (
      <>
        {tiles}
        <span className="wide:sr-only"> {tiles === 1 ? 'tile' : 'tiles'}</span>
      </>
    ),
  },
  {
    id: 'owner',
    header: 'Owner',
    width: '24ch',
    card: 'none',
    cell: ({ owner }) => <span className="truncate">{owner.name}</span>,
  },
  {
    id: 'changed',
    header: 'Changed',
    width: '18ch',
    card: 'none',
    cell: ({ updatedAt }) => <TimeAgo at={updatedAt} />,
  },
  {
    id: 'line',
    header: 'Owner and change',
    onlyInCard: true,
    cell: ({ owner, updatedAt }) => (
      <span className="text-12 text-text-2">
        {owner.name} · changed <TimeAgo at={updatedAt} />
      </span>
    ),
  },
]
