import { Link } from '@tanstack/react-router'
import type { RequestRow } from '../../api/requests.ts'
import {
  countColumn,
  failedColumn,
  numberColumn,
  percentileColumn,
} from '../../features/rates/rate-columns.tsx'
import { useScope } from '../../shell/scope-context.ts'
import type { Column } from '../../ui/table/column.ts'
import { Badge } from '../../ui/tag.tsx'
import { bytesText, durationText } from '../../ui/text/measure-text.ts'

const countOf = ({ count }: RequestRow) => count

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
  countColumn('count', countOf),
  failedColumn('failedShare'),
  percentileColumn({ level: 'p50', countOf, card: 'none', hideBelow: 'full' }),
  percentileColumn({ level: 'p75', countOf }),
  percentileColumn({ level: 'p95', countOf, card: 'none' }),
  numberColumn({
    id: 'total',
    header: 'Total time',
    width: '12ch',
    card: 'none',
    hideBelow: 'full',
    sortBy: ({ total }) => total,
    cell: ({ total }) => durationText(total),
  }),
  numberColumn({
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
