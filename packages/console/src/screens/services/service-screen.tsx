import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type MeasuredService, serviceQuery } from '../../api/services.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { filterFault } from '../../features/traces/filter-fault.ts'
import { NoTraces } from '../../features/traces/no-traces.tsx'
import { spanFields } from '../../features/traces/served-fields.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { type SearchQuestion, useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { filterOfService } from './filter-of-service.ts'
import { OperationsTable } from './operations-table.tsx'
import { ServiceCharts } from './service-charts.tsx'
import { RecentLogs, RecentTraces, ServiceErrors } from './service-links.tsx'

/** One service: its requests over time and by operation, its flags, and what it reports. */
export function ServiceScreen() {
  const { project } = useScope()
  const { service } = useParams({ from: '/p/$project/services/$service' })
  const requested = useQuestion()
  const { question, filter, fault, setFilter } = requested
  const measured = useQuery(serviceQuery(question, service))

  return (
    <Screen
      title={service}
      scope="environment-and-time"
      crumbs={
        <Link
          to="/p/$project/services"
          params={{ project }}
          search={({ env, t }) => ({ env, t })}
          className="hover:underline"
        >
          Services
        </Link>
      }
    >
      <TelemetryFilter
        label="Filter spans: name:checkout, version:2.1, attr:tenant=acme, words"
        filter={filter}
        onFilter={setFilter}
        fault={fault ?? filterFault(measured.error)}
        fields={spanFields}
      />
      <Async
        of={measured}
        isEmpty={({ spans }) => spans === 0}
        empty={
          <Panel>
            <NoTraces
              of="traces"
              onClear={question.filter === '' ? undefined : () => setFilter({ chips: [], words: [] })}
            />
          </Panel>
        }
      >
        {(found) => <Measured service={found} requested={requested} />}
      </Async>
    </Screen>
  )
}

type MeasuredProps = { service: MeasuredService; requested: SearchQuestion }

function Measured({ service, requested: { question, filter } }: MeasuredProps) {
  const about = [service.language, versionsText(service.versions)].filter((part) => part !== '')
  const ofService = { ...question, filter: filterOfService(service.service, filter) }
  // Errors and log records do not have the fields of spans.
  const alone = { ...question, filter: filterOfService(service.service, { chips: [], words: [] }) }
  return (
    <>
      {about.length > 0 && <p className="text-12 text-text-3">{about.join(' · ')}</p>}
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] items-start gap-16 full:grid-cols-[minmax(0,1fr)_304px]">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
          <ServiceCharts service={service} question={question} />
          <OperationsTable service={service} />
        </div>
        <aside className="grid min-w-0 gap-16" aria-label="Flags, errors, traces and logs">
          <Panel title="Flags">
            <Flags flags={service.flags} />
          </Panel>
          <ServiceErrors question={alone} />
          <RecentTraces question={ofService} />
          <RecentLogs question={alone} />
        </aside>
      </div>
    </>
  )
}

const versionsText = (versions: readonly string[]) =>
  versions.length > 2 ? `${versions.length} versions` : versions.join(', ')

function Flags({ flags }: Pick<MeasuredService, 'flags'>) {
  if (flags.length === 0) return <p className="text-text-2">No evaluations in this time range.</p>
  return (
    <ul className="grid gap-6">
      {flags.map(({ flag, variations }) => (
        <li key={flag} className="flex min-w-0 flex-wrap items-baseline justify-between gap-x-12">
          <span className="flex min-w-0 items-center gap-6">
            <FlagLink flag={flag} />
          </span>
          <span className="font-code text-12 text-text-3">{variations.join(', ')}</span>
        </li>
      ))}
    </ul>
  )
}
