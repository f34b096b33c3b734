import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IssueEvent, ShownIssue } from '../../../api/issues.ts'
import { FlagLink } from '../../../features/flags/flag-link.tsx'
import { TraceLinks } from '../../../features/traces/trace-elsewhere.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import type { SearchQuestion } from '../../../shell/use-question.ts'
import { clientName } from '../../../ui/client-badge.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { locationText } from '../../../ui/text/script-place.ts'
import { Time } from '../../../ui/text/time.tsx'
import { titleOf } from '../issue-words.ts'
import { LongText } from '../long-text.tsx'

type EventFactsProps = { event: IssueEvent; issue: ShownIssue; requested: SearchQuestion }

const sources: Readonly<Record<string, string>> = {
  uncaught: 'uncaught',
  rejection: 'unhandled promise rejection',
  console: 'console.error',
  reported: 'reported by the application',
  react: 'React error boundary',
}

/** User, page and environment of this error, and the flags in effect at that time. */
export function EventFacts({ event, issue, requested }: EventFactsProps) {
  const { browser, browserVersion, os, device, country, version, attributes, flags } = event
  const { traceId, service } = event
  const { componentStack, ...others } = attributes
  const facts: [string, ReactNode][] = [
    ['Occurred', <Time key="at" at={event.at} />],
    ['User', <User key="user" event={event} />],
    ['Session', <Session key="session" event={event} />],
    ['Page', event.page && <PageLink key="page" page={event.page} />],
    ['Address', event.url && <span className="font-code text-12">{event.url}</span>],
    ['Service', service],
    ['Trace', traceId && <TraceLinks key="trace" trace={traceId} span={attributes['span.id']} />],
    ['Version', version && <OnlyVersion key="version" version={version} requested={requested} />],
    ['Browser', [browser, browserVersion].filter(Boolean).join(' ')],
    ['Device', [device, os].filter(Boolean).join(', ')],
    ['Country', country],
    ['Caught', event.handled ? 'yes' : 'no'],
    ['Source', sources[event.source] ?? event.source],
    ['SDK', clientName(event.client)],
  ]

  return (
    <>
      <Panel title="This error">
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
          {titleOf(event) !== titleOf(issue) && (
            <LongText text={titleOf(event)} lines={4} className="font-code text-12" />
          )}
          <dl className="grid min-w-0 gap-x-32 gap-y-6 full:grid-cols-2">
            {facts.map(
              ([name, value]) =>
                value && (
                  <div
                    key={name}
                    className="grid min-w-0 grid-cols-[96px_minmax(0,1fr)] items-baseline gap-x-12"
                  >
                    <dt className="text-text-3">{name}</dt>
                    <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
                  </div>
                ),
            )}
          </dl>
        </div>
      </Panel>
      {flags.length > 0 && (
        <Panel title="Flags at that time" note="when it occurred">
          <ul className="grid gap-x-32 gap-y-4 full:grid-cols-2">
            {flags.map((read) => {
              const cut = read.indexOf('=')
              return (
                <li key={read} className="min-w-0 [overflow-wrap:anywhere]">
                  <FlagLink flag={read.slice(0, cut)} /> <code>= {read.slice(cut + 1)}</code>
                </li>
              )
            })}
          </ul>
        </Panel>
      )}
      {Object.keys(others).length > 0 && (
        <Panel title="Attributes" note="custom attributes">
          <dl className="grid gap-y-4">
            {Object.entries(others).map(([name, value]) => (
              <div key={name} className="grid min-w-0 grid-cols-[minmax(96px,20ch)_minmax(0,1fr)] gap-x-12">
                <dt className="truncate text-text-3" title={name}>
                  {name}
                </dt>
                <dd className="font-code text-12 [overflow-wrap:anywhere]">{value}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      {componentStack && (
        <Panel title="Component stack" note="React component stack">
          <pre className="overflow-x-auto font-code text-12">
            {componentLines(event) || componentStack.trim()}
          </pre>
        </Panel>
      )}
    </>
  )
}

/** Elements of the page are between the components, and have no place. */
function componentLines({ originalComponentStack }: IssueEvent): string {
  return originalComponentStack
    .map(({ function: name, ...place }) =>
      place.file === '' ? `at ${name}` : `at ${name || 'anonymous'} (${locationText(place)})`,
    )
    .join('\n')
}

function User({ event: { userKey, anonymousId } }: { event: IssueEvent }) {
  const { project } = useScope()
  const key = userKey || anonymousId
  if (key === '') return 'unknown'
  return (
    <>
      <Link
        to="/p/$project/identities/$identity"
        params={{ project, identity: key }}
        search={{}}
        className="font-code text-12 text-accent hover:underline"
      >
        {key}
      </Link>
      {userKey === '' && <span className="text-12 text-text-3"> not signed in</span>}
    </>
  )
}

function Session({ event: { id, session, hasReplay } }: { event: IssueEvent }) {
  const { project } = useScope()
  if (session === null) return 'none'
  return (
    <Link
      to="/p/$project/sessions/$session"
      params={{ project, session }}
      hash={`event=${id}`}
      className="text-accent hover:underline"
    >
      {hasReplay ? 'Watch replay at this moment' : 'Show session at this moment'}
    </Link>
  )
}

function PageLink({ page }: { page: string }) {
  const { project } = useScope()
  return (
    <Link
      to="/p/$project/pages/$page"
      params={{ project, page }}
      search={{}}
      className="font-code text-12 text-accent hover:underline"
    >
      {page}
    </Link>
  )
}

/** The release that its errors can be filtered by. */
function OnlyVersion({ version, requested }: { version: string; requested: SearchQuestion }) {
  return (
    <button
      type="button"
      title="Only errors of this version"
      onClick={() =>
        requested.narrow({ field: 'version', key: '', isNegated: false, operator: 'is', values: [version] })
      }
      className="min-h-24 cursor-pointer text-left font-code text-12 text-accent [overflow-wrap:anywhere] hover:underline"
    >
      {version}
    </button>
  )
}
