import { Link } from '@tanstack/react-router'
import type { ServiceRow } from '../../api/services.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { useScope } from '../../shell/scope-context.ts'
import type { Column } from '../../ui/table/column.ts'
import { countText, durationText, shareText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { filterOfService } from './filter-of-service.ts'

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
  numbers({
    id: 'requests',
    header: 'Requests',
    card: 'aside',
    sortBy: ({ requests }) => requests,
    cell: ({ requests }) => (
      <>
        {countText(requests)}
        <span className="text-12 text-text-3 wide:sr-only"> requests</span>
      </>
    ),
  }),
  numbers({
    id: 'rate',
    header: 'Per min',
    hideBelow: 'full',
    card: 'none',
    sortBy: ({ perMinute }) => perMinute,
    cell: ({ perMinute }) => perMinute.toLocaleString('en-GB', { maximumSignificantDigits: 3 }),
  }),
  numbers({
    id: 'failed',
    header: 'Failed',
    sortBy: ({ failedShare }) => failedShare,
    cell: (row) => <Failed row={row} />,
  }),
  numbers({
    id: 'p50',
    header: 'p50',
    card: 'none',
    sortBy: ({ p50 }) => p50,
    cell: ({ p50 }) => <Percentile value={p50} />,
  }),
  numbers({
    id: 'p95',
    header: 'p95',
    sortBy: ({ p95 }) => p95,
    cell: ({ p95 }) => (
      <>
        <Percentile value={p95} />
        {p95 !== null && <span className="text-12 text-text-3 wide:sr-only"> p95</span>}
      </>
    ),
  }),
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

function numbers(column: Column<ServiceRow>): Column<ServiceRow> {
  return { align: 'end', width: '10ch', ...column }
}

function Service({ row: { service, versions, language } }: { row: ServiceRow }) {
  const { project } = useScope()
  const about = [language, versions.length > 2 ? `${versions.length} versions` : versions.join(', ')]
  return (
    <span className="grid min-w-0 gap-2">
      <Link
        to="/p/$project/traces"
        params={{ project }}
        search={({ env, t }) => ({ env, t, q: filterOfService(service) })}
        title={`Traces of ${service}`}
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

function NoneFailed() {
  return (
    <span className="text-text-3">
      none<span className="wide:sr-only"> failed</span>
    </span>
  )
}

/** From this share on, it counts as a problem. */
const failingShare = 0.05

function Failed({ row: { service, failed, failedShare } }: { row: ServiceRow }) {
  const { project } = useScope()
  if (failedShare === null || failed === 0) return <NoneFailed />
  return (
    <Link
      to="/p/$project/traces"
      params={{ project }}
      search={({ env, t }) => ({ env, t, q: filterOfService(service, true) })}
      className={`hover:underline ${failedShare >= failingShare ? 'font-medium text-bad' : ''}`}
      aria-label={`${shareText(failedShare)} failed: traces of ${service} that failed`}
    >
      {shareText(failedShare)}
      <span className="font-regular text-12 text-text-3 wide:sr-only"> failed</span>
    </Link>
  )
}

function Percentile({ value }: { value: number | null }) {
  if (value !== null) return durationText(value)
  return (
    <span className="whitespace-nowrap text-text-3" title="A percentile needs 50 requests">
      too few
    </span>
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
