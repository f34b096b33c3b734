import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ServiceRow, servicesQuery } from '../../api/services.ts'
import { filterFault } from '../../features/traces/filter-fault.ts'
import { NoTraces } from '../../features/traces/no-traces.tsx'
import { spanFields } from '../../features/traces/served-fields.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { parseSort, sortText } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { serviceColumns } from './service-columns.tsx'

/** The services of the environment: rate, errors, duration, and the flags they evaluate. */
export function ServicesScreen() {
  const { project } = useScope()
  const search = useSearch({ from: '/p/$project/services' })
  const navigate = useNavigate({ from: '/p/$project/services' })
  const { question, filter, fault, setFilter } = useQuestion()
  const services = useQuery(servicesQuery(question))

  return (
    <Screen title="Services" scope="environment-and-time">
      <TelemetryFilter
        label="Filter spans: service:api, attr:tenant=acme, words"
        filter={filter}
        onFilter={setFilter}
        fault={fault ?? filterFault(services.error)}
        fields={spanFields}
      />
      <Async
        of={services}
        isEmpty={(reply) => reply.services.length === 0}
        empty={
          <Panel>
            <NoTraces
              of="services"
              onClear={search.q === undefined ? undefined : () => setFilter({ chips: [], words: [] })}
            />
          </Panel>
        }
      >
        {(reply) => (
          <div className="grid min-w-0 gap-12">
            {reply.more && (
              <Notice
                tone="warn"
                title="More services than are listed"
                detail="Filter by service to see the others. Keep hosts and versions out of `service.name`."
              />
            )}
            <DataTable<ServiceRow>
              label="Services"
              rows={reply.services}
              rowId={({ service }) => service}
              columns={serviceColumns}
              sort={parseSort(search.sort) ?? { id: 'requests', desc: true }}
              onSort={(sort) =>
                void navigate({
                  search: (now) => ({ ...now, sort: sortText(sort) }),
                  replace: true,
                  resetScroll: false,
                })
              }
              onOpen={({ service }) =>
                void navigate({
                  to: '/p/$project/services/$service',
                  params: { project, service },
                  search: ({ env, t }) => ({ env, t }),
                })
              }
            />
          </div>
        )}
      </Async>
    </Screen>
  )
}
