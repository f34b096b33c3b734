import { Link } from '@tanstack/react-router'
import type { RequestRow } from '../../api/requests.ts'
import { useScope } from '../../shell/scope-context.ts'
import type { Column } from '../../ui/table/column.ts'
import { Badge } from '../../ui/tag.tsx'
import { bytesText, countText, durationText, shareText } from '../../ui/text/measure-text.ts'
import { Duration } from './duration.tsx'
import { NoneFailed } from './none-failed.tsx'

/** The ids of sortable columns are the sort orders of the server. */
export const requestColumns: readonly Column<RequestRow>[] = [
  {
    id: 'endpoint',
    header: 'Request',
    width: '30%',
    card: 'title',
    fixed: true,
    cell: (row) => <Endpoint row={row} />,
  },
  numbers({
    id: 'count',
    header: 'Requests',
    card: 'aside',
    sortBy: ({ count }) => count,
    cell: ({ count }) => countText(count),
  }),
  numbers({
    id: 'failedShare',
    header: 'Failed',
    sortBy: ({ failedShare }) => failedShare,
    cell: (row) => <Failed row={row} />,
  }),
  numbers({
    id: 'p50',
    header: 'p50',
    card: 'none',
    hideBelow: 'full',
    sortBy: ({ p50 }) => p50,
    cell: ({ p50, count }) => <Duration value={p50} of={count} />,
  }),
  numbers({
    id: 'p75',
    header: 'p75',
    sortBy: ({ p75 }) => p75,
    cell: ({ p75, count }) => <Duration value={p75} of={count} label="p75" />,
  }),
  numbers({
    id: 'p95',
    header: 'p95',
    card: 'none',
    sortBy: ({ p95 }) => p95,
    cell: ({ p95, count }) => <Duration value={p95} of={count} />,
  }),
  numbers({
    id: 'total',
    header: 'Total time',
    width: '12ch',
    card: 'none',
    hideBelow: 'full',
    sortBy: ({ total }) => total,
    cell: ({ total }) => durationText(total),
  }),
  numbers({
    id: 'meanBytes',
    header: 'Mean size',
    width: '12ch',
    card: 'none',
    hideBelow: 'full',
    sortBy: ({ meanBytes }) => meanBytes,
    cell: ({ meanBytes }) =>
      meanBytes === null ? <span className="text-text-3">not recorded</span> : bytesText(meanBytes),
  }),
  {
    id: 'slowestPage',
    header: 'Slowest page',
    width: '16%',
    card: 'none',
    hideBelow: 'full',
    cell: ({ slowestPage }) => <PageLink page={slowestPage} />,
  },
]

function numbers(column: Column<RequestRow>): Column<RequestRow> {
  return { align: 'end', width: '10ch', ...column }
}

function PageLink({ page }: { page: string }) {
  const { project } = useScope()
  if (page === '') return <span className="text-text-3">not recorded</span>
  return (
    <Link
      to="/p/$project/pages/$page"
      params={{ project, page }}
      search={({ env, t }) => ({ env, t })}
      title={page}
      className="block truncate font-code text-12 text-text-2 hover:underline"
    >
      {page}
    </Link>
  )
}

function Endpoint({ row: { method, host, endpoint, own } }: { row: RequestRow }) {
  const { project } = useScope()
  return (
    <span className="grid min-w-0 gap-2">
      <Link
        to="/p/$project/requests/$endpoint"
        params={{ project, endpoint }}
        search={(now) => ({ q: now.q, method, host })}
        title={`${method} ${endpoint}`}
        className="flex min-w-0 gap-6 font-code text-12 hover:underline"
      >
        {method && <span className="shrink-0 text-text-2">{method}</span>}
        <span className="truncate font-medium">{endpoint}</span>
      </Link>
      <span className="flex min-w-0 items-center gap-6 text-12 text-text-3">
        <span className="truncate" title={host}>
          {host}
        </span>
        {!own && <Badge>Third party</Badge>}
      </span>
    </span>
  )
}

/** Share first: a thousand failures may be a small share. */
function Failed({ row: { failed, failedShare } }: { row: RequestRow }) {
  if (failedShare === null || failed === 0) return <NoneFailed />
  return (
    <span className={failedShare >= failingShare ? 'font-medium text-bad' : ''}>
      {shareText(failedShare)}
      <span className="font-regular text-12 text-text-3 wide:sr-only"> failed</span>
    </span>
  )
}

/** From this share on, it counts as a problem. */
const failingShare = 0.05
