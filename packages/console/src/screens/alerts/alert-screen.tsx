import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  type Alert,
  type AlertRef,
  alertHistoryQuery,
  alertQuery,
  type MeasureRule,
} from '../../api/alerts.ts'
import { toProblem } from '../../api/problem.ts'
import { AlertState } from '../../features/alerts/alert-state.tsx'
import { boundText, ruleSentence, seenText, windowNames } from '../../features/alerts/alert-words.ts'
import { ManagedInCode } from '../../features/managed-in-code.tsx'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useTimeZone } from '../../shell/time-display.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { Time, TimeAgo, TimeZone } from '../../ui/text/time.tsx'
import { AlertActions } from './alert-actions.tsx'
import { NotArriving } from './channel-trouble.tsx'
import { Incidents } from './incidents.tsx'
import { Past } from './past-panel.tsx'

/** One alert: its state, when it would have fired over the last days, and its incidents. */
export function AlertScreen() {
  const { project, environments } = useScope()
  const { alert: id } = useParams({ from: '/p/$project/alerts/$alert' })
  const place: AlertRef = { project, alert: id }
  const alert = useQuery(alertQuery(place))
  const isMissing = alert.error !== null && toProblem(alert.error).is('not-found')
  const timeZone = useTimeZone(environments.find(({ key }) => key === alert.data?.env)?.timeZone)
  return (
    <TimeZone value={timeZone}>
      <Screen
        title={alert.data?.name ?? 'Alert'}
        scope="none"
        actions={alert.data && <AlertActions alert={alert.data} place={place} />}
        crumbs={
          <Link from="/p/$project" to="/p/$project/alerts" className="hover:text-text">
            Alerts
          </Link>
        }
      >
        {isMissing ? (
          <Empty
            title="Alert not found"
            action={
              <Link from="/p/$project" to="/p/$project/alerts" className={buttonClass()}>
                Show all alerts
              </Link>
            }
          >
            It may have been deleted together with its incidents.
          </Empty>
        ) : (
          <Async of={alert} isEmpty={() => false}>
            {(found) => <Detail alert={found} place={place} />}
          </Async>
        )}
      </Screen>
    </TimeZone>
  )
}

type DetailProps = { alert: Alert; place: AlertRef }

function Detail({ alert, place }: DetailProps) {
  const { rule, channels } = alert
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
      <ManagedInCode kind="alerts" entry={alert.name} />
      <NotArriving channels={channels} />
      <Panel title={ruleSentence(rule)}>
        <Facts inWords facts={factsOf(alert)} />
      </Panel>
      {rule.kind === 'measure' && <History place={place} rule={rule} version={alert.version} />}
      <Incidents place={place} rule={rule} />
    </div>
  )
}

function Recipients({ channels }: Pick<Alert, 'channels'>) {
  const mayManage = useMay('webhooks.manage')
  if (channels.length === 0) return 'No recipients (console only)'
  return (
    <span className="flex flex-wrap gap-x-12 [overflow-wrap:anywhere]">
      {channels.map(({ id, name }) =>
        mayManage ? (
          <Link
            key={id}
            from="/p/$project"
            to="/p/$project/settings/channels/$channel"
            params={{ channel: id }}
          >
            {name}
          </Link>
        ) : (
          <span key={id}>{name}</span>
        ),
      )}
    </span>
  )
}

function factsOf(alert: Alert) {
  const { rule, env, since, seen, channels, createdBy, createdAt } = alert
  const ofMeasure =
    rule.kind === 'measure'
      ? ([
          ['Now', seenText(alert)],
          ['Last evaluation', <TimeAgo key="look" at={seen?.at} none="not evaluated yet" />],
          ['In this state since', <Time key="since" at={since} />],
          ['Filter', rule.query.filter ?? 'none'],
          [
            'Fires when',
            `${boundText(rule.condition, rule)} over ${windowNames[rule.window]}${rule.forMinutes === 0 ? '' : `, for ${rule.forMinutes} min`}`,
          ],
          ['Minimum events', rule.minEvents === 0 ? 'none' : `${rule.minEvents} events`],
        ] as const)
      : []
  return [
    ['State', <AlertState key="state" {...alert} />],
    ...ofMeasure,
    ['Environment', env],
    ['Notifies', <Recipients key="tells" channels={channels} />],
    [
      'Created by',
      <span key="by">
        {createdBy}, <Time at={createdAt} />
      </span>,
    ],
  ] as const
}

function History({ place, rule, version }: { place: AlertRef; rule: MeasureRule; version: number }) {
  const history = useQuery(alertHistoryQuery(place, version))
  return (
    <Panel title="Last days" note="with the current rule">
      <Async of={history} isEmpty={() => false}>
        {(past) => <Past past={past} rule={rule} />}
      </Async>
    </Panel>
  )
}
