import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { type TraceRow, tracesQuery } from '../../api/traces.ts'
import { filterFault } from '../../features/traces/filter-fault.ts'
import { NoTraces } from '../../features/traces/no-traces.tsx'
import { spanFields } from '../../features/traces/served-fields.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { traceColumns } from './trace-columns.tsx'

/** Traces with a span that matches the filter, newest first. */
export function TracesScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/traces' })
  const navigate = useNavigate({ from: '/p/$project/traces' })
  const { question, filter, fault, setFilter } = useQuestion()
  const traces = useInfiniteQuery(tracesQuery(question))
  const pages = traces.data?.pages
  const rows = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])

  return (
    <Screen title="Traces" scope="environment-and-time">
      <TelemetryFilter
        label="Filter spans: service:api, failed:true, duration:>500, attr:tenant=acme, words"
        filter={filter}
        onFilter={setFilter}
        fault={fault ?? filterFault(traces.error)}
        fields={spanFields}
      />
      <Async
        of={traces}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            <NoTraces
              of="traces"
              onClear={search.q === undefined ? undefined : () => setFilter({ chips: [], words: [] })}
            />
          </Panel>
        }
      >
        {() => (
          <DataTable<TraceRow>
            label="Traces"
            rows={rows}
            rowId={({ traceId }) => traceId}
            rowName={({ name }) => name}
            columns={traceColumns(search.q !== undefined)}
            sorted
            onOpen={({ traceId }) =>
              void navigate({
                to: '/p/$project/traces/$trace',
                params: { project, trace: traceId },
                search: ({ env, t, q }) => ({ env, t, q }),
              })
            }
            more={traces}
          />
        )}
      </Async>
    </Screen>
  )
}
