import { type Chip, printChip } from '@telltale/core/query/filter'
import { use } from 'react'
import type { LiveEvent } from '../../api/live.ts'
import { eventText, kindText, whoText } from '../../features/events/event-text.ts'
import { FlagLink } from '../../features/flags/flag-link.tsx'
import { Button } from '../../ui/button.tsx'
import { clientName } from '../../ui/client-badge.tsx'
import { CodeBox } from '../../ui/copy.tsx'
import { FactPart, Facts } from '../../ui/facts.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { TimeZone } from '../../ui/text/time.tsx'
import { clockText } from '../../ui/text/time-text.ts'

type EventPeekProps = { event: LiveEvent; onNarrow: (chip: Chip) => void; onClose: () => void }

/** All fields of one event. */
export function EventPeek({ event, onNarrow, onClose }: EventPeekProps) {
  return (
    <Peek title={kindText(event.kind)} onClose={onClose}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-20">
        <p className="break-words font-code text-12">{eventText(event)}</p>
        <Narrow event={event} onNarrow={onNarrow} />
        <EventFacts event={event} />
        <Flags event={event} />
        <FactPart title="Attributes" isEmpty={Object.keys(event.attributes).length === 0}>
          <Facts facts={Object.entries(event.attributes)} />
        </FactPart>
        <FactPart title="Stack" isEmpty={event.errorStack === ''}>
          <CodeBox label="Stack" code={event.errorStack} />
        </FactPart>
        <FactPart title="As JSON">
          {event.cut && (
            <p className="text-12 text-text-2">
              This event is large: long texts are shortened here, but stored in full.
            </p>
          )}
          <CodeBox label="The event as JSON" code={JSON.stringify(event, withoutEmpty, 2)} />
        </FactPart>
      </div>
    </Peek>
  )
}

function Narrow({ event, onNarrow }: Pick<EventPeekProps, 'event' | 'onNarrow'>) {
  const { session, page } = event
  const who = whoText(event)
  const chips = [
    ...(session === null ? [] : [chipOf('session', session)]),
    ...(who === '' ? [] : [chipOf('user', who)]),
    ...(page === '' ? [] : [chipOf('page', page)]),
  ]
  return (
    <div className="flex flex-wrap gap-6">
      {chips.map((chip) => (
        <Button
          key={chip.field}
          size="small"
          icon="filter"
          title={printChip(chip)}
          onClick={() => onNarrow(chip)}
        >
          Only this {chip.field}
        </Button>
      ))}
    </div>
  )
}

/** Fields that an event of this kind does not have are omitted. */
function withoutEmpty(_: string, value: unknown): unknown {
  const isEmpty = value === '' || value === null || (Array.isArray(value) && value.length === 0)
  return isEmpty ? undefined : value
}

const chipOf = (field: 'session' | 'user' | 'page', value: string): Chip => ({
  field,
  key: '',
  isNegated: false,
  operator: 'is',
  values: [value],
})

function EventFacts({ event }: { event: LiveEvent }) {
  const timeZone = use(TimeZone)
  const { browser, browserVersion, os, device, country, service, version } = event
  const facts: [string, string][] = [
    ['Occurred', clockText(event.at, timeZone)],
    ['Received', clockText(event.receivedAt, timeZone)],
    ['User', event.userKey],
    ['Anonymous id', event.anonymousId],
    ['Session', event.session ?? ''],
    ['Page', event.page],
    ['Address', event.url],
    ['Element', event.target],
    ['Browser', [browser, browserVersion, os, device].filter(Boolean).join(', ')],
    ['Country', country],
    ['Service', [service, version].filter(Boolean).join(' ')],
    ['SDK', clientName(event.source) ?? ''],
  ]
  return <Facts facts={facts.filter(([, value]) => value !== '')} />
}

function Flags({ event: { flags, arms } }: { event: LiveEvent }) {
  return (
    <FactPart title="Flags at that time" isEmpty={flags.length === 0}>
      <ul className="grid gap-4">
        {flags.map((read) => {
          const cut = read.indexOf('=')
          return (
            <li key={read} className="min-w-0 break-words">
              <FlagLink flag={read.slice(0, cut)} /> <code>{read.slice(cut + 1)}</code>
            </li>
          )
        })}
      </ul>
      {arms.length > 0 && (
        <p className="text-12 text-text-2">
          Experiment arm{' '}
          {arms.map(({ split, epoch, arm }, index) => (
            <span key={`${split} ${epoch}`} title={`Split ${split}, period ${epoch}`}>
              {index > 0 && ', '}
              <code>{arm}</code>
            </span>
          ))}
          .
        </p>
      )}
    </FactPart>
  )
}
