// A session as text, one line per event, for readers of text.

import { SessionDetail, TimelineEvent } from '@telltale/core/contract/sessions'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Events = Type.Object({
  items: Type.Array(TimelineEvent),
  next: Type.Union([Type.String(), Type.Null()]),
})

/** Takes what the calls of a session answer. Throws if it is anything else. */
export function writeTimeline(session: unknown, events: unknown): string {
  const its: Static<typeof SessionDetail> = Value.Parse(SessionDetail, session)
  const { items, next } = Value.Parse(Events, events)
  return [
    JSON.stringify(its),
    '',
    ...items.map(writeEvent),
    ...(next === null ? [] : ['(more follow)']),
  ].join('\n')
}

/** At the beginning of the line, in the summary of the session, or longer than a line. */
const saidElsewhere = new Set(
  [
    'id',
    'at',
    'kind',
    'receivedAt',
    'session',
    'view',
    'userKey',
    'anonymousId',
    'service',
    'version',
    'country',
  ].concat(['browser', 'browserVersion', 'os', 'device', 'bot', 'stack', 'originalStack', 'tab']),
)

function writeEvent(event: Static<typeof TimelineEvent>): string {
  const facts = Object.entries(event).filter(([name, value]) => !saidElsewhere.has(name) && isTold(value))
  return [
    event.at,
    event.kind,
    ...facts.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
  ].join(' ')
}

const isTold = (value: unknown) =>
  value !== null &&
  value !== '' &&
  value !== 0 &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0)
