import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { MeasuredService, OperationRow } from '../../api/services.ts'
import {
  countColumn,
  failedColumn,
  numberColumn,
  percentileColumn,
} from '../../features/rates/rate-columns.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { type Column, parseSort, sortText } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { countOf, shareText } from '../../ui/text/measure-text.ts'
import { filterOfOperation } from './filter-of-service.ts'
import { rateColumn } from './rate-column.tsx'

/** What a service does, by the names of the spans that begin in it. */
export function OperationsTable({ service }: { service: MeasuredService }) {
  const { sort } = useSearch({ from: '/p/$project/services/$service' })
  const navigate = useNavigate({ from: '/p/$project/services/$service' })
  const { project } = useScope()
  const { operations, moreOperations } = service
  return (
    <ListSection
      title="Operations"
      note={moreOperations ? `the ${countOf(operations.length, 'operation')} with the most time` : undefined}
    >
      <DataTable<OperationRow>
        label="Operations"
        rows={operations}
        rowId={({ name, kind }) => `${kind} ${name}`}
        rowName={({ name }) => name}
        columns={columnsOf(service.service)}
        sort={parseSort(sort) ?? { id: 'time', desc: true }}
        onSort={(next) =>
          void navigate({
            search: (now) => ({ ...now, sort: sortText(next) }),
            replace: true,
            resetScroll: false,
          })
        }
        onOpen={({ name }) =>
          void navigate({
            to: '/p/$project/traces',
            params: { project },
            search: ({ env, t }) => ({ env, t, q: filterOfOperation(service.service, name) }),
          })
        }
      />
    </ListSection>
  )
}

const requestsOf = ({ requests }: OperationRow) => requests

const columnsOf = (service: string): readonly Column<OperationRow>[] => [
  {
    id: 'name',
    header: 'Operation',
    width: '38%',
    card: 'title',
    fixed: true,
    sortBy: ({ name }) => name,
    cell: ({ name }) => <Operation service={service} name={name} />,
  },
  countColumn('requests', requestsOf),
  rateColumn,
  failedColumn('failed'),
  percentileColumn({ level: 'p50', countOf: requestsOf, card: 'none', hideBelow: 'full' }),
  percentileColumn({ level: 'p95', countOf: requestsOf }),
  numberColumn({
    id: 'time',
    header: 'Time share',
    sortBy: ({ timeShare }) => timeShare,
    cell: ({ timeShare }) => (
      <>
        {shareText(timeShare)}
        <span className="text-12 text-text-3 wide:sr-only"> of the time</span>
      </>
    ),
  }),
]

function Operation({ service, name }: { service: string; name: string }) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/traces"
      params={{ project }}
      search={({ env, t }) => ({ env, t, q: filterOfOperation(service, name) })}
      title={`Traces with ${name || 'unnamed spans'}`}
      className="block truncate font-code text-12 hover:underline"
    >
      {name === '' ? 'unnamed' : name}
    </Link>
  )
}
