import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import type { IssueEvent } from '../../../api/issues.ts'
import { type TimelineEvent, timelineQuery } from '../../../api/sessions.ts'
import { eventText, isTrouble, kindText } from '../../../features/events/event-text.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import { TimeZone } from '../../../ui/text/time.tsx'
import { clockText } from '../../../ui/text/time-text.ts'

/** The breadcrumbs before an error. */
const stepsShown = 8
const reported = new Set(['view', 'action', 'resource', 'error', 'custom'])

/** The events of the session up to the error. Renders nothing when the session is unknown or not stored. */
export function EventSteps({ event }: { event: IssueEvent }) {
  if (event.session === null) return null
  return <Steps event={event} session={event.session} />
}

function Steps({ event, session }: { event: IssueEvent; session: string }) {
  const { project, environment } = useScope()
  const timeZone = use(TimeZone)
  const timeline = useQuery(timelineQuery({ project, env: environment.key }, { session, running: false }))
  if (timeline.error) return null
  if (!timeline.data) {
    return (
      <Panel title="Breadcrumbs">
        <Skeleton rows={3} label="Loading breadcrumbs" />
      </Panel>
    )
  }
  const steps = stepsUntil(timeline.data.events, event.id)
  if (steps.length < 2) return null

  return (
    <Panel title="Breadcrumbs" note="earlier events in the session" flush>
      <ol className="grid grid-cols-[minmax(0,1fr)] py-6 font-code text-12">
        {steps.map((step) => (
          <li
            key={step.id}
            {...(step.id === event.id ? { 'aria-current': 'step' } : {})}
            className={`grid min-h-24 grid-cols-[64px_64px_minmax(0,1fr)] items-center gap-x-8 px-14 ${isTrouble(step) ? 'text-bad' : ''} ${step.id === event.id ? 'bg-bad-soft font-medium' : ''}`}
          >
            <time dateTime={step.at} className="text-text-3">
              {clockText(step.at, timeZone).slice(0, 8)}
            </time>
            <span className="truncate">{kindText(step.kind)}</span>
            <span className="truncate" title={eventText(step).slice(0, 300)}>
              {eventText(step)}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** The last breadcrumbs, including the error. */
function stepsUntil(events: readonly TimelineEvent[], id: string): TimelineEvent[] {
  const at = events.findIndex((one) => one.id === id)
  return events
    .slice(0, at + 1)
    .filter(({ kind }) => reported.has(kind))
    .slice(-stepsShown)
}
