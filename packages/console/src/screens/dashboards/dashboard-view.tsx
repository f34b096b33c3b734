import { useNavigate } from '@tanstack/react-router'
import type { Dashboard } from '../../api/dashboards.ts'
import type { Question } from '../../api/question.ts'
import { switchMarkers } from '../../charts/markers-shown.ts'
import { DashboardGrid } from '../../features/dashboards/dashboard-grid.tsx'
import { ShareButton } from '../../features/sharing/share-button.tsx'
import { useMay } from '../../shell/account.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { DashboardFilter } from './dashboard-filter.tsx'
import { DashboardMenu } from './dashboard-menu.tsx'
import { DashboardsCrumb } from './dashboards-crumb.tsx'
import { MeasuredTile } from './measured-tile.tsx'
import { TileLink } from './tile-link.tsx'

type DashboardViewProps = { dashboard: Dashboard; question: Question }

export function DashboardView({ dashboard, question }: DashboardViewProps) {
  const navigate = useNavigate({ from: '/p/$project/dashboards/$dashboard' })
  const mayChange = useMay('flags.change')
  useShortcut({ keys: 'm', label: 'Flag changes', run: switchMarkers })
  const edit = () => void navigate({ search: (now) => ({ ...now, edit: true }) })
  const button = (
    <Button
      icon="edit"
      onClick={edit}
      disabled={!mayChange}
      title={mayChange ? undefined : 'Read-only: editors change dashboards.'}
    >
      Edit
    </Button>
  )
  return (
    <Screen title={dashboard.name} crumbs={<DashboardsCrumb />} scope="environment-and-time">
      {dashboard.description && <p className="max-w-read text-pretty text-text-2">{dashboard.description}</p>}
      <DashboardFilter
        actions={
          <>
            {button}
            <ShareButton on={{ kind: 'dashboard', target: dashboard.id, env: question.env }} />
            <DashboardMenu dashboard={dashboard} />
          </>
        }
      />
      {dashboard.tiles.length === 0 ? (
        <Panel>
          <Empty title="No tiles yet" action={button}>
            Add tiles here, or on the Explore screen with “Add to dashboard”.
          </Empty>
        </Panel>
      ) : (
        <DashboardGrid>
          {dashboard.tiles.map((tile) => (
            <MeasuredTile
              key={tile.id}
              tile={tile}
              question={question}
              saved={dashboard.id}
              actions={<TileLink tile={tile} filter={question.filter} />}
            />
          ))}
        </DashboardGrid>
      )}
    </Screen>
  )
}
