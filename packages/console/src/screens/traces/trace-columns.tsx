import { Link } from '@tanstack/react-router'
import type { TraceRow } from '../../api/traces.ts'
import { useScope } from '../../shell/scope-context.ts'
import type { Column } from '../../ui/table/column.ts'
import { countText, durationText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

const always: readonly Column<TraceRow>[] = [
  {
    id: 'trace',
    header: 'Trace',
    width: '36%',
    card: 'title',
    fixed: true,
    cell: (row) => <TraceName row={row} />,
  },
  {
    id: 'duration',
    header: 'Duration',
    align: 'end',
    width: '11ch',
    card: 'aside',
    cell: ({ duration }) => durationText(duration),
  },
  {
    id: 'spans',
    header: 'Spans',
    align: 'end',
    width: '9ch',
    cell: ({ spans }) => (
      <>
        {countText(spans)}
        <span className="text-12 text-text-3 wide:sr-only"> spans</span>
      </>
    ),
  },
  {
    id: 'errors',
    header: 'Failed',
    align: 'end',
    width: '9ch',
    cell: ({ errors }) =>
      errors === 0 ? (
        <span className="text-text-3">none</span>
      ) : (
        <span className="font-medium text-bad">
          {countText(errors)}
          <span className="font-regular text-12 text-text-3 wide:sr-only"> failed</span>
        </span>
      ),
  },
  {
    id: 'services',
    header: 'Services',
    width: '20%',
    card: 'none',
    cell: ({ services }) => (
      <span className="block truncate text-12 text-text-2" title={services.join(', ')}>
        {services.join(', ')}
      </span>
    ),
  },
  {
    id: 'at',
    header: 'Began',
    width: '14ch',
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
]

const matched: Column<TraceRow> = {
  id: 'matched',
  header: 'Longest match',
  width: '22%',
  hideBelow: 'full',
  card: 'none',
  cell: (row) => <Matched row={row} />,
}

const withMatch = [...always.slice(0, 2), matched, ...always.slice(2)]

/** With a filter, what matched is shown: it may be deep inside of the trace. */
export const traceColumns = (isFiltered: boolean) => (isFiltered ? withMatch : always)

function TraceName({ row: { traceId, service, name } }: { row: TraceRow }) {
  const { project } = useScope()
  return (
    <span className="grid min-w-0 gap-2">
      <Link
        to="/p/$project/traces/$trace"
        params={{ project, trace: traceId }}
        search={({ env, t, q }) => ({ env, t, q })}
        title={name}
        className="truncate font-medium hover:underline"
      >
        {name === '' ? 'unnamed' : name}
      </Link>
      <span className="truncate text-12 text-text-3">{service}</span>
    </span>
  )
}

function Matched({ row: { traceId, matched: found } }: { row: TraceRow }) {
  const { project } = useScope()
  const { spanId, service, name, duration, spans } = found
  return (
    <span className="grid min-w-0 gap-2">
      <Link
        to="/p/$project/traces/$trace"
        params={{ project, trace: traceId }}
        search={({ env, t, q }) => ({ env, t, q, span: spanId })}
        title={name}
        className="truncate hover:underline"
      >
        {name === '' ? 'unnamed' : name}
      </Link>
      <span className="truncate text-12 text-text-3">
        {durationText(duration)} in {service}
        {spans > 1 && `, of ${countText(spans)} matches`}
      </span>
    </span>
  )
}
