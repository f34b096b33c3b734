import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { spanQuery, type Trace, type WholeSpan } from '../../api/traces.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { cutText } from '../../features/traces/log-facts.tsx'
import { TraceLink } from '../../features/traces/trace-link.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { FactPart, Facts } from '../../ui/facts.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Async } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { durationText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'

type SpanPeekProps = {
  trace: Trace
  spanId: string
  onClose: () => void
  onSelect: (span: string) => void
}

/** One span with everything that was recorded of it. */
export function SpanPeek({ trace, spanId, onClose, onSelect }: SpanPeekProps) {
  const { project, environment } = useScope()
  const place = { trace: trace.traceId, span: spanId }
  const span = useQuery(spanQuery({ project, env: environment.key }, place))
  const name = trace.spanList.find((each) => each.spanId === spanId)?.name
  return (
    <Peek title={name || 'Span'} onClose={onClose}>
      <Async of={span}>{(whole) => <Details span={whole} trace={trace} onSelect={onSelect} />}</Async>
    </Peek>
  )
}

function Details({
  span,
  trace,
  onSelect,
}: {
  span: WholeSpan
  trace: Trace
  onSelect: (span: string) => void
}) {
  const { attributes, resource, events, links, flags, cut } = span
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
      <p className="flex flex-wrap items-center gap-8">
        {span.status === 'error' && <Badge tone="bad">Failed</Badge>}
        <span className="font-medium">{durationText(span.duration)}</span>
        <span className="text-text-3">
          <Time at={span.startedAt} />
        </span>
      </p>
      {span.statusMessage !== '' && <p className="break-words text-bad">{span.statusMessage}</p>}
      <Facts facts={factsOf(span, trace, onSelect)} />
      <FactPart title="Flags evaluated" isEmpty={flags.length === 0}>
        <Facts facts={flags.map(flagFact)} />
      </FactPart>
      <FactPart title="Attributes" isEmpty={Object.keys(attributes).length === 0}>
        <Facts facts={Object.entries(attributes)} />
      </FactPart>
      <FactPart title="Events" isEmpty={events.length === 0}>
        <ul className="grid gap-12">
          {events.map((event, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events have no ID, and never change.
            <li key={index} className="grid min-w-0 gap-4">
              <span className="flex flex-wrap gap-8">
                <span className="font-medium">{event.name}</span>
                <span className="text-text-3">
                  {durationText(Math.max(0, Date.parse(event.at) - Date.parse(span.startedAt)))} after its
                  beginning
                </span>
              </span>
              <Facts facts={Object.entries(event.attributes)} />
            </li>
          ))}
        </ul>
      </FactPart>
      <FactPart title="Links" isEmpty={links.length === 0}>
        <ul className="grid gap-4">
          {links.map(({ traceId, spanId }) => (
            <li key={`${traceId} ${spanId}`}>
              <TraceLink trace={traceId} span={spanId}>
                <code>{traceId}</code>
              </TraceLink>
            </li>
          ))}
        </ul>
      </FactPart>
      <FactPart title="Resource" isEmpty={Object.keys(resource).length === 0}>
        <Facts facts={Object.entries(resource)} />
      </FactPart>
      {cut > 0 && <p className="text-12 text-text-3">{cutText(cut)}</p>}
    </div>
  )
}

function flagFact(pair: string): readonly [string, ReactNode] {
  const at = pair.indexOf('=')
  const flag = pair.slice(0, at)
  return [
    flag,
    <span key={flag} className="flex flex-wrap gap-8">
      <code>{pair.slice(at + 1)}</code>
      <FlagLink flag={flag}>Open flag</FlagLink>
    </span>,
  ]
}

function factsOf(
  span: WholeSpan,
  trace: Trace,
  onSelect: (span: string) => void,
): (readonly [string, ReactNode])[] {
  const parent = trace.spanList.find(({ spanId }) => spanId === span.parentId)
  const facts: (readonly [string, ReactNode])[] = [
    ['Service', [span.service, span.version].filter(Boolean).join(' ')],
    ['Kind', span.kind],
    ['Library', span.scope],
    ['Status code', span.httpStatus === 0 ? '' : String(span.httpStatus)],
    ['User', span.userKey],
    ['Session', span.session && <SessionLink key="session" session={span.session} />],
    [
      'Parent',
      span.parentId === '' ? (
        ''
      ) : parent === undefined ? (
        `${span.parentId} (missing)`
      ) : (
        <button
          key="parent"
          type="button"
          className="text-left text-accent underline"
          onClick={() => onSelect(parent.spanId)}
        >
          {parent.name}
        </button>
      ),
    ],
    ['Span ID', span.spanId],
  ]
  return facts.filter(([, value]) => value !== '' && value !== null)
}

function SessionLink({ session }: { session: string }) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/sessions/$session"
      params={{ project, session }}
      search={({ env }) => ({ env })}
      className="text-accent underline"
    >
      Open session
    </Link>
  )
}
