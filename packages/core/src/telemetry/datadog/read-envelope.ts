// Reads the fields that all events of the Datadog client have in common.

import { idIn, type JsonObject, listIn, numberIn, objectIn, shortIn, textIn } from '../json.ts'
import type { RumContext, RumEvent } from '../rum-event.ts'
import { type AttributesOf, sharedAttributes } from './shared-attributes.ts'

export interface Envelope extends Pick<RumEvent, 'actions' | 'flags' | 'traits'> {
  about: RumContext
  at: number
}

/** Undefined without a session id or a date. */
export function readEnvelope(
  raw: JsonObject,
  attributesOf: AttributesOf = sharedAttributes,
): Envelope | undefined {
  const about = readAbout(raw)
  const at = numberIn(raw, 'date')
  if (about === undefined || at === undefined) return undefined

  about.attributes = attributesOf(raw)
  const traits = {
    usr: objectIn(raw, 'usr'),
    account: objectIn(raw, 'account'),
    context: objectIn(raw, 'context'),
  }
  return { about, at, traits, flags: objectIn(raw, 'feature_flags'), actions: actionsOf(raw) }
}

/** Undefined without a session id. */
export function readAbout(raw: JsonObject): RumContext | undefined {
  const [session, view, usr] = [objectIn(raw, 'session'), objectIn(raw, 'view'), objectIn(raw, 'usr')]
  const sessionId = idIn(session, 'id')
  if (sessionId === undefined) return undefined

  const about: RumContext = {
    session: sessionId,
    weight: weightOf(raw),
    hasReplay: session.has_replay === true,
  }
  const [tab, viewId] = [idIn(objectIn(raw, 'tab'), 'id'), idIn(view, 'id')]
  const [anonymousId, userKey] = [wordIn(usr, 'anonymous_id'), wordIn(usr, 'id')]
  const [page, url, referrer] = ['name', 'url', 'referrer'].map((name) => shortIn(view, name))
  const [service, version] = [serviceOf(raw), shortIn(raw, 'version')]
  const connection = shortIn(objectIn(raw, 'connectivity'), 'effective_type')
  if (tab !== undefined) about.tab = tab
  if (viewId !== undefined) about.view = viewId
  if (anonymousId !== undefined) about.anonymousId = anonymousId
  if (userKey !== undefined) about.userKey = userKey
  // Only set when the application names its views.
  if (page !== undefined) about.page = page
  if (url !== undefined) about.url = url
  if (referrer !== undefined) about.referrer = referrer
  if (service !== undefined) about.service = service
  if (version !== undefined) about.version = version
  if (connection !== undefined) about.connection = connection
  return about
}

/** Applications also use numbers as ids. */
function wordIn(value: JsonObject, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'number' ? String(member) : shortIn(value, name)
}

/** Without a service, the client sends the application id in its place. */
function serviceOf(raw: JsonObject): string | undefined {
  const service = shortIn(raw, 'service')
  return service === textIn(objectIn(raw, 'application'), 'id') ? undefined : service
}

const wholePercent = 100

/** The inverse of the session sample rate, which is in percent. */
function weightOf(raw: JsonObject): number {
  const rate = numberIn(objectIn(objectIn(raw, '_dd'), 'configuration'), 'session_sample_rate')
  return rate !== undefined && rate > 0 && rate < wholePercent ? wholePercent / rate : 1
}

/** An event lists all actions in progress, which are few. */
const mostActions = 100

function actionsOf(raw: JsonObject): string[] {
  const action = objectIn(raw, 'action')
  const one = idIn(action, 'id')
  if (one !== undefined) return [one]
  return listIn(action, 'id')
    .slice(0, mostActions)
    .flatMap((id) => idIn({ id }, 'id') ?? [])
}
