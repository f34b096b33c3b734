import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type Alert, alertsQuery } from '../../api/alerts.ts'
import { AlertState } from '../../features/alerts/alert-state.tsx'
import { ruleSentence, seenText } from '../../features/alerts/alert-words.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useNewButton } from '../../shell/use-new-button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TimeAgo } from '../../ui/text/time.tsx'
import { ChannelTrouble } from './channel-trouble.tsx'

/** The alerts of an environment, firing ones first. */
export function AlertsScreen() {
  const { project, environment } = useScope()
  const alerts = useQuery(alertsQuery(project, environment.key))
  const navigate = useNavigate()
  const mayChange = useMay('alerts.change')
  const create = () => void navigate({ to: '/p/$project/alerts/new', params: { project } })
  const button = useNewButton({
    label: 'New alert',
    mayCreate: mayChange,
    missing: 'editors create alerts',
    create,
  })

  return (
    <Screen title="Alerts" actions={button}>
      <Async
        of={alerts}
        isEmpty={(rows) => rows.length === 0}
        empty={
          <Panel>
            <Empty title={`No alerts in ${environment.name}`} action={button}>
              An alert watches a measure from Explore, or reacts to new errors and guard decisions, and
              notifies the channels you choose.
            </Empty>
          </Panel>
        }
      >
        {(rows) => (
          <DataTable<Alert>
            label="Alerts"
            rows={rows}
            rowId={({ id }) => id}
            rowName={({ name }) => name}
            columns={columns}
            sorted
            onOpen={({ id }) =>
              void navigate({ to: '/p/$project/alerts/$alert', params: { project, alert: id } })
            }
          />
        )}
      </Async>
    </Screen>
  )
}

const columns: readonly Column<Alert>[] = [
  {
    id: 'name',
    header: 'Alert',
    fixed: true,
    card: 'title',
    cell: ({ id, name, rule }) => (
      <span className="grid min-w-0 py-4">
        <Link
          from="/p/$project"
          to="/p/$project/alerts/$alert"
          params={{ alert: id }}
          className="font-medium [overflow-wrap:anywhere]"
        >
          {name}
        </Link>
        <span className="text-12 text-text-3 [overflow-wrap:anywhere]">{ruleSentence(rule)}</span>
      </span>
    ),
  },
  { id: 'state', header: 'State', card: 'aside', cell: (alert) => <AlertState {...alert} /> },
  {
    id: 'line',
    header: 'Last 24 h',
    onlyInCard: true,
    cell: (alert) => (
      <span className="text-text-2 [overflow-wrap:anywhere]">
        {alert.rule.kind === 'measure' && `Now ${seenText(alert)} · `}notifies{' '}
        {alert.channels.length === 0 ? 'no one' : alert.channels.map(({ name }) => name).join(', ')} · last
        incident <TimeAgo at={alert.lastIncidentAt} none="none" />
        <ChannelTrouble channels={alert.channels} />
      </span>
    ),
  },
  { id: 'seen', header: 'Now', align: 'end', card: 'none', cell: (alert) => seenText(alert) },
  {
    id: 'channels',
    header: 'Notifies',
    card: 'none',
    cell: ({ channels }) => (
      <span className="[overflow-wrap:anywhere]">
        {channels.length === 0 ? 'no one' : channels.map(({ name }) => name).join(', ')}
        <ChannelTrouble channels={channels} />
      </span>
    ),
  },
  {
    id: 'incident',
    header: 'Last incident',
    card: 'none',
    cell: ({ lastIncidentAt }) => <TimeAgo at={lastIncidentAt} none="none" />,
  },
]
