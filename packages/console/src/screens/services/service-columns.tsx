import { Link } from '@tanstack/react-router'
import type { ServiceRow } from '../../api/services.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { FailedShare } from '../../features/rates/failed-share.tsx'
import { countColumn, failedColumn, percentileColumn } from '../../features/rates/rate-columns.tsx'
import { useScope } from '../../shell/scope-context.ts'
import type { Column } from '../../ui/table/column.ts'
import { shareText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { filterOfFailed } from './filter-of-service.ts'
import { rateColumn } from './rate-column.tsx'

const countOf = ({ requests }: ServiceRow) => requests

export const serviceColumns: readonly Column<ServiceRow>[] = [
  {
    id: 'service',
    header: 'Service',
    width: '24%',
    card: 'title',
    fixed: true,
    sortBy: ({ service }) => service,
    cell: (row) => <Service row={row} />,
  },
  countColumn('requests', countOf),
  rateColumn,
  failedColumn('failed', { cell: (row) => <Failed row={row} /> }),
  percentileColumn({ level: 'p50', countOf, card: 'none' }),
  percentileColumn({ level: 'p95', countOf }),
  {
    id: 'flags',
    header: 'Flags',
    width: '24%',
    cell: ({ flags }) => <Flags flags={flags} />,
  },
  {
    id: 'seen',
    header: 'Last seen',
    width: '14ch',
    hideBelow: 'full',
    card: 'none',
    sortBy: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
  },
]

function Service({ row: { service, versions, language } }: { row: ServiceRow }) {
  const { project } = useScope()
  const about = [language, versions.length > 2 ? `${versions.length} versions` : versions.join(', ')]
  return (
    <span className="grid min-w-0 gap-2">
      <Link
        to="/p/$project/services/$service"
        params={{ project, service }}
        search={({ env, t }) => ({ env, t })}
        title={service}
        className="truncate font-medium hover:underline"
      >
        {service}
      </Link>
      <span className="truncate text-12 text-text-3" title={versions.join(', ')}>
        {about.filter(Boolean).join(' · ')}
      </span>
    </span>
  )
}

function Failed({ row: { service, failed, failedShare } }: { row: ServiceRow }) {
  const { project } = useScope()
  const share = <FailedShare failed={failed} share={failedShare} />
  if (failedShare === null || failed === 0) return share
  return (
    <Link
      to="/p/$project/traces"
      params={{ project }}
      search={({ env, t }) => ({ env, t, q: filterOfFailed(service) })}
      className="hover:underline"
      aria-label={`${shareText(failedShare)} failed: traces of ${service} that failed`}
    >
      {share}
    </Link>
  )
}

const flagsShown = 3

function Flags({ flags }: Pick<ServiceRow, 'flags'>) {
  if (flags.length === 0) return <span className="text-text-3">none</span>
  const rest = flags.length - flagsShown
  return (
    <span className="flex min-w-0 flex-wrap gap-x-8 gap-y-2 text-12">
      {flags.slice(0, flagsShown).map(({ flag, variations }) => (
        <span key={flag} title={variations.join(', ')} className="min-w-0 truncate">
          <FlagLink flag={flag} />
        </span>
      ))}
      {rest > 0 && <span className="text-text-3">and {rest} more</span>}
    </span>
  )
}
