import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import type { Dashboard, Tile } from '../../api/dashboards.ts'
import { toProblem } from '../../api/problem.ts'
import type { Question } from '../../api/question.ts'
import { DashboardGrid } from '../../features/dashboards/dashboard-grid.tsx'
import { newPlacement } from '../../features/dashboards/new-tile.ts'
import { kindNames, tileTitle } from '../../features/dashboards/tile-words.ts'
import { ManagedInCode } from '../../features/managed-in-code.tsx'
import { Screen } from '../../shell/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Menu, MenuItem } from '../../ui/overlay/menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DashboardFilter } from './dashboard-filter.tsx'
import { DashboardSettings } from './dashboard-settings.tsx'
import { DashboardsCrumb } from './dashboards-crumb.tsx'
import { MeasuredTile } from './measured-tile.tsx'
import { TileDialog } from './tile-dialog.tsx'
import { TileTools } from './tile-tools.tsx'
import { useDashboardDraft } from './use-dashboard-draft.ts'
import { useTileDrag } from './use-tile-drag.ts'

type EditDashboardProps = { dashboard: Dashboard; question: Question }

/** The tiles with their tools. Nothing is stored until it is saved as a whole. */
export function EditDashboard({ dashboard, question }: EditDashboardProps) {
  const navigate = useNavigate({ from: '/p/$project/dashboards/$dashboard' })
  const leave = () => void navigate({ search: (now) => ({ ...now, edit: undefined }) })
  const editing = useDashboardDraft(dashboard, leave)
  const { draft, isDirty, saving, conflict, moved } = editing
  const [dialog, setDialog] = useState<'settings' | { tile: Tile; isNew: boolean }>()
  const drag = useTileDrag(draft.tiles, editing.move)
  const problem = saving.error && !conflict ? toProblem(saving.error) : null
  const isFull = draft.tiles.length >= limits.dashboardTiles
  const add = <AddTile isFull={isFull} onKind={(kind) => setDialog({ tile: startOf(kind), isNew: true })} />

  return (
    <Screen title={draft.name} crumbs={<DashboardsCrumb />} scope="environment-and-time">
      <ManagedInCode kind="dashboards" entry={dashboard.name} />
      <ProblemNotice problem={problem} />
      <DashboardFilter
        actions={
          <>
            {add}
            <Button onClick={() => setDialog('settings')}>Settings</Button>
            <Button onClick={leave}>{isDirty ? 'Discard' : 'Done'}</Button>
            <Button look="primary" disabled={!isDirty} busy={saving.isPending} onClick={() => editing.save()}>
              Save
            </Button>
          </>
        }
      />
      {isFull && (
        <p className="text-12 text-text-2">A dashboard has at most {limits.dashboardTiles} tiles.</p>
      )}
      <p role="status" className="sr-only">
        {moved}
      </p>
      {draft.tiles.length === 0 ? (
        <Panel>
          <Empty title="No tiles yet" action={add}>
            Add the first one.
          </Empty>
        </Panel>
      ) : (
        <DashboardGrid>
          {draft.tiles.map((tile) => (
            <MeasuredTile
              key={tile.id}
              tile={tile}
              question={question}
              saved={undefined}
              className={drag.lookOf(tile.id)}
              actions={
                <TileTools
                  tile={tile}
                  name={tileTitle(tile)}
                  isFull={isFull}
                  handle={drag.handleOf(tile.id)}
                  editing={editing}
                  onEdit={() => setDialog({ tile, isNew: false })}
                />
              }
            />
          ))}
        </DashboardGrid>
      )}
      {dialog === 'settings' && (
        <DashboardSettings
          draft={draft}
          onDraft={(next) => {
            editing.change(next)
            setDialog(undefined)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog !== undefined && dialog !== 'settings' && (
        <TileDialog
          {...dialog}
          question={question}
          onTile={(tile) => {
            editing.put(tile)
            setDialog(undefined)
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {conflict && (
        <ConflictDialog
          mine={draft}
          current={conflict}
          onMine={() => editing.save(conflict)}
          onTheirs={() => editing.take(conflict)}
          onClose={editing.keepEditing}
        />
      )}
      <UnsavedGuard when={isDirty && !saving.isPending && !saving.isSuccess} what="this dashboard" perEdit />
    </Screen>
  )
}

const kinds: readonly Tile['kind'][] = ['explore', 'vitals', 'funnel', 'impact', 'rollout', 'alert', 'text']

function AddTile({ isFull, onKind }: { isFull: boolean; onKind: (kind: Tile['kind']) => void }) {
  return (
    <Menu
      align="end"
      trigger={
        <Button icon="plus" disabled={isFull}>
          Add tile
        </Button>
      }
    >
      {kinds.map((kind) => (
        <MenuItem key={kind} onSelect={() => onKind(kind)}>
          {kindNames[kind]}
        </MenuItem>
      ))}
    </Menu>
  )
}

function startOf(kind: Tile['kind']): Tile {
  const placement = newPlacement(kind)
  switch (kind) {
    case 'explore':
      return { ...placement, kind, chart: 'line', measure: 'count' }
    case 'vitals':
      return { ...placement, kind }
    case 'funnel':
      return { ...placement, kind, steps: '' }
    case 'impact':
    case 'rollout':
      return { ...placement, kind, flag: '' }
    case 'alert':
      return { ...placement, kind, alert: '' }
    case 'text':
      return { ...placement, kind, text: '' }
  }
}
