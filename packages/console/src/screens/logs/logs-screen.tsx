import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type LogRecord, logsQuery } from '../../api/logs.ts'
import { filterFault } from '../../features/traces/filter-fault.ts'
import { logColumns } from '../../features/traces/log-columns.tsx'
import { LogFacts } from '../../features/traces/log-facts.tsx'
import { NoTraces } from '../../features/traces/no-traces.tsx'
import { logFields } from '../../features/traces/served-fields.ts'
import { Screen } from '../../shell/screen.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { LevelChart } from './level-chart.tsx'

/** Log records, newest first. */
export function LogsScreen() {
  const search = useSearch({ from: '/p/$project/logs' })
  const navigate = useNavigate({ from: '/p/$project/logs' })
  const { question, filter, fault, setFilter } = useQuestion()
  const logs = useInfiniteQuery(logsQuery(question))
  const pages = logs.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])
  const peeked = rows.find(({ id }) => id === search.peek)
  const peek = (id: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, peek: id }), replace: true, resetScroll: false })

  return (
    <Screen title="Logs" scope="environment-and-time">
      <TelemetryFilter
        label="Filter logs: level:error, service:api, attr:order=7, words"
        filter={filter}
        onFilter={setFilter}
        fault={fault ?? filterFault(logs.error)}
        fields={logFields}
      />
      <Async
        of={logs}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            <NoTraces
              of="log records"
              onClear={search.q === undefined ? undefined : () => setFilter({ chips: [], words: [] })}
            />
          </Panel>
        }
      >
        {() => (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
            <LevelChart question={question} />
            <DataTable<LogRecord>
              label="Logs"
              rows={rows}
              rowId={({ id }) => id}
              rowName={({ body }) => body}
              columns={logColumns((id) => peek(id === search.peek ? undefined : id))}
              sorted
              tall={false}
              onOpen={({ id }) => peek(id)}
              onPeek={({ id }) => peek(id === search.peek ? undefined : id)}
              peeked={search.peek}
              more={logs}
            />
          </div>
        )}
      </Async>
      {peeked && (
        <Peek title="Log record" onClose={() => peek(undefined)}>
          <LogFacts log={peeked} />
        </Peek>
      )}
    </Screen>
  )
}
