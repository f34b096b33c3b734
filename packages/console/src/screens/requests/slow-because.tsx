import { useQuery } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import type { Question } from '../../api/question.ts'
import { type RequestGroup, type RequestSpans, requestSpansQuery } from '../../api/requests.ts'
import { numberColumn } from '../../features/rates/rate-columns.tsx'
import { TraceLink } from '../../features/traces/trace-link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { countOf, durationText } from '../../ui/text/measure-text.ts'

type SlowBecauseProps = { group: RequestGroup; question: Question }
type SpanRow = RequestSpans['spans'][number]

/** Which spans take the additional time of slow requests. Nothing for requests without traces. */
export function SlowBecause({ group, question }: SlowBecauseProps) {
  const spans = useQuery(requestSpansQuery(question, group))
  if (spans.data?.traces === 0) return null
  return (
    <ListSection title="Slow because of" note={spans.data && noteOf(spans.data)}>
      <Async
        of={spans}
        isEmpty={({ slow }) => slow.traces === 0}
        empty={
          <Panel>
            <p className="text-text-2">
              A comparison needs {limits.comparedRequestsMinimum} requests with traces in this time range.
            </p>
          </Panel>
        }
      >
        {(found) => (
          <DataTable<SpanRow>
            label="Slow because of"
            rows={found.spans}
            rowId={({ service, name }) => JSON.stringify([service, name])}
            rowName={({ name }) => name}
            columns={columns}
            sorted
          />
        )}
      </Async>
    </ListSection>
  )
}

function noteOf({ traces, typical, slow, isCut }: RequestSpans) {
  if (slow.traces === 0) return undefined
  const compared = `slowest tenth of ${countOf(traces, 'trace')}, mean ${durationText(slow.mean)}, with the middle fifth, ${durationText(typical.mean)}`
  return isCut ? `${compared}. Large traces are cut.` : compared
}

const columns: readonly Column<SpanRow>[] = [
  {
    id: 'span',
    header: 'Span',
    width: '40%',
    card: 'title',
    fixed: true,
    cell: ({ service, name }) => (
      <span className="grid min-w-0 gap-2">
        <span className="truncate font-code text-12" title={name}>
          {service === '' ? 'Network and queues' : name || 'unnamed'}
        </span>
        <span className="truncate text-12 text-text-3">{service === '' ? 'outside of spans' : service}</span>
      </span>
    ),
  },
  numberColumn({
    id: 'more',
    header: 'Slower by',
    card: 'aside',
    cell: ({ slow, typical }) => {
      const more = slow - typical
      return (
        <span className={more > 0 ? 'font-medium' : 'text-text-3'}>
          {more < 0 ? '−' : '+'}
          {durationText(Math.abs(more))}
        </span>
      )
    },
  }),
  timeColumn('slow', 'Slow'),
  timeColumn('typical', 'Typical'),
]

/** Self time in one of the two, which opens the trace where it is longest. */
function timeColumn(arm: 'slow' | 'typical', header: string): Column<SpanRow> {
  return numberColumn({
    id: arm,
    header,
    width: '14ch',
    cell: (row) => {
      const example = row[`${arm}Example`]
      const time = (
        <>
          {durationText(row[arm])}
          <span className="text-12 wide:sr-only"> {header.toLowerCase()}</span>
        </>
      )
      if (example === null) return <span className="text-text-3">none</span>
      return (
        <TraceLink trace={example.traceId} span={example.spanId || undefined}>
          {time}
        </TraceLink>
      )
    },
  })
}
