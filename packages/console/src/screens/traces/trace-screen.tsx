import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { buildTraceTree, sharesOf } from '@telltale/core/telemetry/otlp/trace-tree'
import { useMemo } from 'react'
import { type Trace, traceQuery } from '../../api/traces.ts'
import { TraceElsewhere } from '../../features/traces/trace-elsewhere.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { CopyText } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import { countOf, countText, durationText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { colorsOf } from './service-colors.ts'
import { ServiceShares } from './service-shares.tsx'
import { SpanPeek } from './span-peek.tsx'
import { TraceErrors } from './trace-errors.tsx'
import { TraceLogs } from './trace-logs.tsx'
import { TraceRequests } from './trace-requests.tsx'
import { Waterfall } from './waterfall.tsx'

/** One trace: its spans over time, the errors and log records in it, and which service took the time. */
export function TraceScreen() {
  const { project, environment } = useScope()
  const { trace: traceId } = useParams({ from: '/p/$project/traces/$trace' })
  const trace = useQuery(traceQuery({ project, env: environment.key }, traceId))
  const title = trace.data?.name || `Trace ${traceId.slice(0, 8)}`

  return (
    <Screen
      title={title}
      crumbs={
        <Link
          to="/p/$project/traces"
          params={{ project }}
          search={({ env, t, q }) => ({ env, t, q })}
          className="hover:underline"
        >
          Traces
        </Link>
      }
    >
      <Async of={trace}>{(found) => <Content trace={found} />}</Async>
    </Screen>
  )
}

function Content({ trace }: { trace: Trace }) {
  const { span: selected } = useSearch({ from: '/p/$project/traces/$trace' })
  const navigate = useNavigate({ from: '/p/$project/traces/$trace' })
  const select = (span: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, span }), replace: true, resetScroll: false })
  const rows = useMemo(() => buildTraceTree(trace.spanList), [trace.spanList])
  const shares = useMemo(() => sharesOf(rows), [rows])
  const colors = useMemo(() => colorsOf(shares.map(({ service }) => service)), [shares])
  const errorsAt = useMemo(() => countBySpan(trace.errorList), [trace.errorList])

  return (
    <>
      <Summary trace={trace} />
      {trace.left > 0 && (
        <Notice
          tone="info"
          title={`${countText(trace.left)} spans are not shown`}
          detail={`The first ${countText(trace.spanList.length)} spans of this trace are listed.`}
        />
      )}
      <Panel title="Time by service" note="Self time: without the calls to others">
        <ServiceShares shares={shares} colors={colors} />
      </Panel>
      <Panel title="Spans" note={countOf(rows.length, 'span')} flush>
        <Waterfall
          rows={rows}
          duration={trace.duration}
          colors={colors}
          errorsAt={errorsAt}
          selected={selected}
          onSelect={select}
        />
      </Panel>
      <TraceErrors trace={trace} onSelect={select} />
      <TraceRequests trace={trace} />
      <TraceLogs trace={trace} onSelect={select} />
      {selected !== undefined && (
        <SpanPeek trace={trace} spanId={selected} onClose={() => select(undefined)} onSelect={select} />
      )}
    </>
  )
}

function countBySpan(errors: Trace['errorList']): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { spanId } of errors) counts.set(spanId, (counts.get(spanId) ?? 0) + 1)
  return counts
}

function Summary({ trace: { traceId, service, startedAt, duration, errors, services } }: { trace: Trace }) {
  return (
    <p className="flex flex-wrap items-center gap-x-16 gap-y-4 text-text-2">
      <span className="font-medium text-text">{durationText(duration)}</span>
      <span>
        began <Time at={startedAt} /> in {service}
      </span>
      <span>{countOf(services.length, 'service')}</span>
      {errors > 0 && <span className="font-medium text-bad">{countOf(errors, 'failed span')}</span>}
      <CopyText text={traceId} label="Trace ID" />
      <TraceElsewhere trace={traceId} />
    </p>
  )
}
