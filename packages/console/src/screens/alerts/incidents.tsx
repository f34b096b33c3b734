import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type AlertIncident, type AlertRef, type AlertRule, incidentsQuery } from '../../api/alerts.ts'
import { thingOf } from '../../features/alerts/alert-words.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { Badge } from '../../ui/tag.tsx'
import { valueFormat } from '../../ui/text/measure-words.ts'
import { Time } from '../../ui/text/time.tsx'

/** The incidents of an alert, newest first. */
export function Incidents({ place, rule }: { place: AlertRef; rule: AlertRule }) {
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
            <Empty title="No incidents" />
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

const endings = { recovered: 'Recovered', changed: 'The rule was changed', event: '–' } as const

const ofEvents: readonly Column<AlertIncident>[] = [
  {
    id: 'what',
    header: 'Incident',
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
          ', ongoing'
        ) : ending === 'event' ? null : (
          <>
            {' '}
            until <Time at={endedAt} />
          </>
        )}
      </span>
    ),
  },
  { id: 'from', header: 'Started', card: 'none', cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    id: 'to',
    header: 'Ended',
    card: 'none',
    cell: ({ endedAt, ending }) =>
      endedAt === null ? <Badge tone="bad">◆ Open</Badge> : ending === 'event' ? '–' : <Time at={endedAt} />,
  },
]

function columnsOf(rule: AlertRule): readonly Column<AlertIncident>[] {
  if (rule.kind === 'events') return ofEvents
  const format = valueFormat(thingOf(rule))
  return [
    ...ofEvents,
    {
      id: 'worst',
      header: 'Peak',
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
