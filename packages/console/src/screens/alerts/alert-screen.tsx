import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  type Alert,
  type AlertIncident,
  type AlertPlace,
  type AlertRule,
  alertHistoryQuery,
  alertQuery,
  incidentsQuery,
  type MeasureRule,
} from '../../api/alerts.ts'
import { toProblem } from '../../api/problem.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useTimeZone } from '../../shell/time-display.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { ListSection } from '../../ui/list-section.tsx'
import { valueFormat } from '../../ui/measure-words.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Badge } from '../../ui/tag.tsx'
import { Time, TimeAgo, TimeZone } from '../../ui/time.tsx'
import { AlertActions } from './alert-actions.tsx'
import { AlertState } from './alert-state.tsx'
import { boundText, ruleSentence, seenText, thingOf, windowNames } from './alert-words.ts'
import { Past } from './past-panel.tsx'

/** One alert: how it stands, what it would have done over the last days, and what it did. */
export function AlertScreen() {
  const { project, environments } = useScope()
  const { alert: id } = useParams({ from: '/p/$project/alerts/$alert' })
  const place: AlertPlace = { project, alert: id }
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
            title="There is no such alert"
            action={
              <Link from="/p/$project" to="/p/$project/alerts" className={buttonClass()}>
                Show all alerts
              </Link>
            }
          >
            It may have been deleted, and its incidents with it.
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

type DetailProps = { alert: Alert; place: AlertPlace }

function Detail({ alert, place }: DetailProps) {
  const { rule, channels } = alert
  const failing = channels.filter(({ enabled, failingSince }) => !enabled || failingSince !== null)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
      {failing.length > 0 && (
        <Notice
          title="What it says does not arrive"
          detail={`${failing.map(({ name }) => name).join(', ')}: turned off, or failing. What was not taken stands in the log of the channel.`}
          action={
            <Link from="/p/$project" to="/p/$project/settings/channels" className={buttonClass()}>
              Channels
            </Link>
          }
        />
      )}
      <Panel title={ruleSentence(rule)}>
        <Facts inWords facts={factsOf(alert)} />
      </Panel>
      {rule.kind === 'measure' && <History place={place} rule={rule} version={alert.version} />}
      <Incidents place={place} rule={rule} />
    </div>
  )
}

function factsOf(alert: Alert) {
  const { rule, env, since, seen, channels, createdBy, createdAt } = alert
  const told =
    channels.length === 0 ? 'nobody: it is seen here alone' : channels.map(({ name }) => name).join(', ')
  const ofMeasure =
    rule.kind === 'measure'
      ? ([
          ['Now', seenText(alert)],
          ['Last look', <TimeAgo key="look" at={seen?.at} none="not looked yet" />],
          ['In this state since', <Time key="since" at={since} />],
          ['Filter', rule.query.filter ?? 'all of them'],
          [
            'Fires when',
            `${boundText(rule.condition, rule)} over ${windowNames[rule.window]}${rule.forMinutes === 0 ? '' : `, for ${rule.forMinutes} min`}`,
          ],
          ['Needs', rule.minEvents === 0 ? 'no least number of events' : `${rule.minEvents} events`],
        ] as const)
      : []
  return [
    ['State', <AlertState key="state" {...alert} />],
    ...ofMeasure,
    ['Environment', env],
    ['Tells', told],
    [
      'Made by',
      <span key="by">
        {createdBy}, <Time at={createdAt} />
      </span>,
    ],
  ] as const
}

function History({ place, rule, version }: { place: AlertPlace; rule: MeasureRule; version: number }) {
  const history = useQuery(alertHistoryQuery(place, version))
  return (
    <Panel title="The last days" note="as the rule is now">
      <Async of={history} isEmpty={() => false}>
        {(past) => <Past past={past} rule={rule} />}
      </Async>
    </Panel>
  )
}

function Incidents({ place, rule }: { place: AlertPlace; rule: AlertRule }) {
  const incidents = useInfiniteQuery(incidentsQuery(place))
  const rows = useMemo(() => (incidents.data?.pages ?? []).flatMap(({ items }) => items), [incidents.data])
  const columns = useMemo(() => columnsOf(rule), [rule])
  return (
    <ListSection title="Incidents">
      <Async
        of={incidents}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            <Empty title="No incident so far" />
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Incidents"
            rows={rows}
            rowId={({ id }) => id}
            rowName={({ summary }) => summary}
            columns={columns}
            sorted
            more={incidents}
          />
        )}
      </Async>
    </ListSection>
  )
}

const endings = { recovered: 'Back to normal', changed: 'The rule was changed', event: '–' } as const

const ofEvents: readonly Column<AlertIncident>[] = [
  {
    id: 'what',
    header: 'What',
    fixed: true,
    card: 'title',
    cell: ({ summary, path, isMuted }) => (
      <span className="flex min-w-0 flex-wrap items-center gap-x-8 py-4">
        {path === null ? (
          <span className="[overflow-wrap:anywhere]">{summary}</span>
        ) : (
          <a href={path} className="font-medium [overflow-wrap:anywhere]">
            {summary}
          </a>
        )}
        {isMuted && <Badge>Muted</Badge>}
      </span>
    ),
  },
  {
    id: 'line',
    header: 'When',
    onlyInCard: true,
    cell: ({ startedAt, endedAt, ending }) => (
      <span className="text-text-2">
        <Time at={startedAt} />
        {endedAt === null ? (
          ', goes on'
        ) : ending === 'event' ? null : (
          <>
            {' '}
            until <Time at={endedAt} />
          </>
        )}
      </span>
    ),
  },
  { id: 'from', header: 'Began', card: 'none', cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    id: 'to',
    header: 'Ended',
    card: 'none',
    cell: ({ endedAt, ending }) =>
      endedAt === null ? (
        <Badge tone="bad">◆ Goes on</Badge>
      ) : ending === 'event' ? (
        '–'
      ) : (
        <Time at={endedAt} />
      ),
  },
]

function columnsOf(rule: AlertRule): readonly Column<AlertIncident>[] {
  if (rule.kind === 'events') return ofEvents
  const format = valueFormat(thingOf(rule))
  return [
    ...ofEvents,
    {
      id: 'worst',
      header: 'Furthest',
      align: 'end',
      card: 'none',
      cell: ({ worst }) => (worst === null ? '–' : format(worst)),
    },
    {
      id: 'why',
      header: 'By',
      card: 'none',
      cell: ({ ending }) => (ending === null ? '–' : endings[ending]),
    },
  ]
}
