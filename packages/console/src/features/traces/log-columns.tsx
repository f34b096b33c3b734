import type { LogRecord } from '../../api/logs.ts'
import type { Column } from '../../ui/table/column.ts'
import { Time } from '../../ui/text/time.tsx'
import { LogLevelBadge } from './log-level.tsx'
import { TraceLink } from './trace-link.tsx'

export const logColumns = (onPeek: (id: string) => void): readonly Column<LogRecord>[] => [
  {
    id: 'at',
    header: 'Time',
    width: '14ch',
    card: 'aside',
    cell: ({ at }) => <Time at={at} />,
  },
  {
    id: 'level',
    header: 'Level',
    width: '10ch',
    cell: ({ level }) => <LogLevelBadge level={level} />,
  },
  {
    id: 'body',
    header: 'Message',
    card: 'title',
    fixed: true,
    cell: ({ id, body, name }) => (
      <button
        type="button"
        className="block min-h-24 w-full truncate text-left font-code text-12 hover:underline"
        onClick={() => onPeek(id)}
      >
        {body || name || '(empty)'}
      </button>
    ),
  },
  {
    id: 'service',
    header: 'Service',
    width: '18%',
    cell: ({ service }) => (
      <span className="block truncate text-12 text-text-2" title={service}>
        {service}
      </span>
    ),
  },
  {
    id: 'trace',
    header: 'Trace',
    width: '12ch',
    card: 'none',
    cell: ({ traceId, spanId }) =>
      traceId === null ? (
        <span className="text-text-3">none</span>
      ) : (
        <TraceLink trace={traceId} span={spanId} />
      ),
  },
]
