// Converts an event of Sentry's clients: an error, or a message.

import type { EventOf, TelemetryEvent } from '../../contract/events.ts'
import { given, isObject, type JsonObject, listIn, objectIn, textIn } from '../json.ts'
import { attributesOf } from './sentry-context.ts'
import { sentryIdIn, traceIdIn } from './sentry-id.ts'
import { type Exceptions, exceptionsOf, stackOf } from './sentry-stack.ts'
import { timeIn } from './sentry-time.ts'

/** Messages of these levels report no failure: they become custom events. */
const calm = new Set(['debug', 'info', 'log'])
export const messageName = 'message'

/** Undefined without an id, a time, and an exception or a message. */
export function convertSentryError(event: JsonObject): TelemetryEvent | undefined {
  const id = sentryIdIn(event, 'event_id')
  const at = timeIn(event, 'timestamp')
  if (id === undefined || at === undefined) return undefined
  const facts = { id, at, context: 0, attributes: attributesOf(event) }
  const found = exceptionsOf(event)
  const message = messageOf(event)
  // A message with `attachStacktrace` has an exception without a type.
  const isMessage = message !== undefined && (found === undefined || found.thrown.type === undefined)
  if (isMessage && calm.has(textIn(event, 'level') ?? 'info')) {
    return {
      ...facts,
      kind: 'custom',
      name: messageName,
      attributes: { ...facts.attributes, message },
    }
  }
  if (found === undefined && message === undefined) return undefined
  const stack = found === undefined ? '' : stackOf(found)
  return {
    ...facts,
    kind: 'error',
    source: isMessage ? 'reported' : sourceOf(event, found),
    message: message ?? found?.thrown.message ?? '',
    handled: isMessage || isHandled(found),
    ...given('type', isMessage ? undefined : found?.thrown.type),
    ...given('stack', stack === '' ? undefined : stack),
    ...given('componentStack', componentStackOf(event)),
    ...given('fingerprint', fingerprintOf(event)),
    ...given('traceId', traceIdIn(objectIn(objectIn(event, 'contexts'), 'trace'))),
  }
}

function messageOf(event: JsonObject): string | undefined {
  const entry = objectIn(event, 'logentry')
  return textIn(event, 'message') ?? textIn(entry, 'formatted') ?? textIn(entry, 'message')
}

/** How it was caught. In a chain of causes, the client notes an unhandled error at any of them. */
function mechanismOf(found: Exceptions | undefined): JsonObject {
  const all = found === undefined ? [] : [found.thrown, ...found.causes]
  const mechanisms = all.map(({ raw }) => objectIn(raw, 'mechanism'))
  return mechanisms.find(({ handled }) => handled === false) ?? mechanisms[0] ?? {}
}

const isHandled = (found: Exceptions | undefined) => mechanismOf(found).handled !== false

const rejections = /unhandled_?rejection/i
const boundaries = /react/i

function sourceOf(event: JsonObject, found: Exceptions | undefined): EventOf<'error'>['source'] {
  const type = textIn(mechanismOf(found), 'type') ?? ''
  if (componentStackOf(event) !== undefined || boundaries.test(type)) return 'react'
  if (rejections.test(type)) return 'rejection'
  if (type.includes('console')) return 'console'
  return isHandled(found) ? 'reported' : 'uncaught'
}

const componentStackOf = (event: JsonObject) =>
  textIn(objectIn(objectIn(event, 'contexts'), 'react'), 'componentStack')

const defaultGroup = '{{ default }}'

/** One that extends the default grouping is ignored: errors are grouped by their stacks. */
function fingerprintOf(event: JsonObject): string | undefined {
  const parts = listIn(event, 'fingerprint').filter((part) => typeof part === 'string')
  return parts.length === 0 || parts.includes(defaultGroup) ? undefined : parts.join(' ')
}

/** The clicks before an error, which the client reports nowhere else. `idOf` makes an id from a text. */
export function clicksBefore(
  event: JsonObject,
  { session, idOf }: { session: string; idOf(text: string): string },
): TelemetryEvent[] {
  const { breadcrumbs } = event
  const list = Array.isArray(breadcrumbs)
    ? breadcrumbs
    : isObject(breadcrumbs)
      ? listIn(breadcrumbs, 'values')
      : []
  return list.filter(isObject).flatMap((crumb) => {
    const at = timeIn(crumb, 'timestamp')
    const name = textIn(crumb, 'message')
    if (crumb.category !== 'ui.click' || at === undefined || name === undefined) return []
    // The same click is in every error after it.
    const id = idOf(`${session} ${at} ${name}`)
    return { kind: 'action', id, action: id, at, context: 0, name, target: name }
  })
}
