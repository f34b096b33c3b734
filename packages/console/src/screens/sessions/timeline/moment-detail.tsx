import { type ReactNode, use } from 'react'
import type { TimelineEvent } from '../../../api/sessions.ts'
import { TraceLinks } from '../../../features/traces/trace-elsewhere.tsx'
import { CodeBox } from '../../../ui/copy.tsx'
import { FactPart, Facts } from '../../../ui/facts.tsx'
import { stackText } from '../../../ui/stack-text.ts'
import { bytesText, durationText, lengthText } from '../../../ui/text/measure-text.ts'
import { TimeZone } from '../../../ui/text/time.tsx'
import { clockText } from '../../../ui/text/time-text.ts'
import { ReadVariation, splitRead } from '../read-variation.tsx'
import { useVariationOrder } from '../use-variation-orders.ts'
import type { ProfiledSpan } from './lanes.ts'
import { momentNames } from './moment-kinds.ts'
import { MomentLinks } from './moment-links.tsx'
import type { Moment } from './moments.ts'
import { profileAt } from './profiled-spans.ts'

type MomentDetailProps = { moment: Moment; profiles: readonly ProfiledSpan[] }

/** All fields of one event, and its links. */
export function MomentDetail({ moment, profiles }: MomentDetailProps) {
  const timeZone = use(TimeZone)
  const { event, title, at, kind } = moment
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-16">
      <div className="grid gap-4">
        <p className="text-12 text-text-3">
          {momentNames[kind]}, {lengthText(at)} into the session, at {clockText(event.at, timeZone)}
        </p>
        <p className={`break-words font-medium text-14 ${moment.tone === 'bad' ? 'text-bad' : ''}`}>
          {title}
        </p>
      </div>
      <MomentLinks event={event} profile={profileOf(moment, profiles)} />
      <Facts facts={factsOf(moment)} />
      <FactPart title="Properties" isEmpty={Object.keys(event.attributes).length === 0}>
        <Facts facts={Object.entries(event.attributes)} />
      </FactPart>
      <FactPart title="Scripts" isEmpty={event.scripts.length === 0}>
        <Facts
          facts={event.scripts.map(({ source, function: name, ms }) => [
            durationText(ms),
            [name, source].filter(Boolean).join(' in ') || 'not set',
          ])}
        />
      </FactPart>
      <FactPart title="Stack trace" isEmpty={event.originalStack.length === 0}>
        <CodeBox label="Stack trace" code={stackText(title, event.originalStack)} />
      </FactPart>
      <FactPart title="Minified" isEmpty={event.stack === ''}>
        <CodeBox label="Minified stack trace" code={event.stack} />
      </FactPart>
      <FlagsThen event={event} />
    </div>
  )
}

/** For slow events: the profile that explains them. */
function profileOf({ kind, event, at }: Moment, profiles: readonly ProfiledSpan[]) {
  const isSlow = kind === 'slow' || (kind === 'vital' && event.name === 'INP')
  const profile = isSlow ? profileAt(profiles, at) : undefined
  return profile && { profile, at }
}

function factsOf(moment: Moment): (readonly [string, ReactNode])[] {
  const { event } = moment
  const isRequest = event.kind === 'resource'
  const lasted = isRequest || event.kind === 'long_frame' || event.kind === 'action'
  const facts: [string, ReactNode][] = [
    ['Page', event.page],
    ['Address', event.url === event.target ? '' : event.url],
    [
      isRequest ? 'Requested' : event.kind === 'vital' ? 'Attributed to' : 'Element',
      event.kind === 'vital' && event.target === '' ? 'no element' : event.target,
    ],
    ['Host', event.host],
    ['Status', event.status === 0 ? (event.failed ? 'no response' : '') : String(event.status)],
    ['Duration', lasted && event.duration > 0 ? durationText(event.duration) : ''],
    ['Blocking', event.kind === 'long_frame' ? durationText(event.blocking) : ''],
    ['Size', isRequest && event.size > 0 ? bytesText(event.size) : ''],
    ['Handling', event.kind === 'error' ? thrownText(event) : ''],
    ['Frustration', event.kind === 'action' ? moment.note : ''],
    ['Value', event.kind === 'custom' ? String(event.value) : ''],
    ['Trace', event.traceId && <TraceLinks key="trace" trace={event.traceId} />],
    ['Service', [event.service, event.version].filter(Boolean).join(' ')],
    ['User', event.userKey],
  ]
  return facts.filter(([, value]) => value !== '')
}

function thrownText({ name, handled }: TimelineEvent): string {
  return [name, handled ? 'handled by the application' : 'unhandled'].filter(Boolean).join(', ')
}

function FlagsThen({ event: { flags } }: { event: TimelineEvent }) {
  const order = useVariationOrder()
  return (
    <FactPart title="Flags at that time" isEmpty={flags.length === 0}>
      <ul className="flex flex-wrap gap-x-16 gap-y-4">
        {flags.map((read) => {
          const [flag, variation] = splitRead(read)
          return (
            <li key={read} className="flex min-w-0 items-center gap-6">
              <code className="truncate text-text-2">{flag}</code>
              <ReadVariation flag={flag} variation={variation} order={order} />
            </li>
          )
        })}
      </ul>
    </FactPart>
  )
}
