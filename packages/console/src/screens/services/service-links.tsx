// What a service reports besides its requests: the newest traces and log records, and its error issues.

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { issuesQuery } from '../../api/issues.ts'
import { logsQuery } from '../../api/logs.ts'
import type { Question } from '../../api/question.ts'
import { tracesQuery } from '../../api/traces.ts'
import { LogLevelBadge } from '../../features/traces/log-level.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Skeleton } from '../../ui/states.tsx'
import { countOf, durationText } from '../../ui/text/measure-text.ts'
import { TimeAgo } from '../../ui/text/time.tsx'

const shown = 5

/** Its filter names the service. */
type OfServiceProps = { question: Question }

export function RecentTraces({ question }: OfServiceProps) {
  const { project } = useScope()
  const traces = useInfiniteQuery(tracesQuery(question))
  return (
    <Panel
      title="Recent traces"
      flush
      footer={
        <AllOf to="/p/$project/traces" q={question.filter}>
          All traces
        </AllOf>
      }
    >
      <Async
        of={traces}
        loading={<Skeleton rows={shown} label="Loading the traces" />}
        isEmpty={({ pages }) => pages[0]?.items.length === 0}
        empty={<None>No traces in this time range.</None>}
      >
        {({ pages }) => (
          <List>
            {(pages[0]?.items ?? []).slice(0, shown).map(({ traceId, matched, startedAt }) => (
              <Item key={traceId} at={startedAt}>
                <Link
                  to="/p/$project/traces/$trace"
                  params={{ project, trace: traceId }}
                  search={({ env, t }) => ({ env, t, span: matched.spanId })}
                  className="min-w-0 grow truncate hover:underline"
                >
                  {matched.name || 'unnamed'}
                </Link>
                <span className="shrink-0 text-12 text-text-2">{durationText(matched.duration)}</span>
              </Item>
            ))}
          </List>
        )}
      </Async>
    </Panel>
  )
}

export function RecentLogs({ question }: OfServiceProps) {
  const { project } = useScope()
  const logs = useInfiniteQuery(logsQuery(question))
  return (
    <Panel
      title="Recent logs"
      flush
      footer={
        <AllOf to="/p/$project/logs" q={question.filter}>
          All logs
        </AllOf>
      }
    >
      <Async
        of={logs}
        loading={<Skeleton rows={shown} label="Loading the log records" />}
        isEmpty={({ pages }) => pages[0]?.items.length === 0}
        empty={<None>No log records in this time range.</None>}
      >
        {({ pages }) => (
          <List>
            {(pages[0]?.items ?? []).slice(0, shown).map(({ id, at, level, body, name }) => (
              <Item key={id} at={at}>
                <LogLevelBadge level={level} />
                <Link
                  to="/p/$project/logs"
                  params={{ project }}
                  search={({ env, t }) => ({ env, t, q: question.filter, peek: id })}
                  className="min-w-0 grow truncate font-code text-12 hover:underline"
                >
                  {body || name || '(empty)'}
                </Link>
              </Item>
            ))}
          </List>
        )}
      </Async>
    </Panel>
  )
}

export function ServiceErrors({ question }: OfServiceProps) {
  const { project } = useScope()
  const issues = useInfiniteQuery(issuesQuery(question, {}))
  return (
    <Panel
      title="Errors"
      flush
      footer={
        <AllOf to="/p/$project/errors" q={question.filter}>
          All errors
        </AllOf>
      }
    >
      <Async
        of={issues}
        loading={<Skeleton rows={shown} label="Loading the errors" />}
        isEmpty={({ pages }) => pages[0]?.items.length === 0}
        empty={<None>No open errors in this time range.</None>}
      >
        {({ pages }) => (
          <List>
            {(pages[0]?.items ?? []).slice(0, shown).map(({ id, type, message, lastSeenAt, events }) => (
              <Item key={id} at={lastSeenAt}>
                <Link
                  to="/p/$project/errors/$issue"
                  params={{ project, issue: id }}
                  search={({ env, t }) => ({ env, t })}
                  className="min-w-0 grow truncate font-code text-12 hover:underline"
                >
                  {[type, message].filter(Boolean).join(': ') || 'Error without a message'}
                </Link>
                <span className="shrink-0 text-12 text-text-2">{countOf(events, 'event')}</span>
              </Item>
            ))}
          </List>
        )}
      </Async>
    </Panel>
  )
}

type AllOfProps = {
  to: '/p/$project/traces' | '/p/$project/logs' | '/p/$project/errors'
  q: string
  children: ReactNode
}

function AllOf({ to, q, children }: AllOfProps) {
  const { project } = useScope()
  return (
    <Link
      to={to}
      params={{ project }}
      search={({ env, t }) => ({ env, t, q })}
      className="text-accent hover:underline"
    >
      {children}
    </Link>
  )
}

function None({ children }: { children: ReactNode }) {
  return <p className="px-14 py-12 text-text-2">{children}</p>
}

function List({ children }: { children: ReactNode }) {
  return <ul>{children}</ul>
}

function Item({ at, children }: { at: string; children: ReactNode }) {
  return (
    <li className="flex min-w-0 items-center gap-8 border-line border-b px-14 py-8 last:border-b-0">
      {children}
      <span className="shrink-0 text-12 text-text-3">
        <TimeAgo at={at} />
      </span>
    </li>
  )
}
