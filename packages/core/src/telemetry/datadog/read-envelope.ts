// What every event of the Datadog client says beside what happened.

import { flatAttributes } from './flat-attributes.ts'
import { given, idIn, type JsonObject, listIn, numberIn, objectIn, textIn } from './json.ts'
import type { RumContext, RumEvent } from './rum-event.ts'

export interface Envelope extends Pick<RumEvent, 'actions' | 'flags' | 'traits'> {
  about: RumContext
  at: number
  attributes: NonNullable<RumEvent['event']['attributes']>
}

/** Nothing when it does not say of which session, or when. */
export function readEnvelope(raw: JsonObject): Envelope | undefined {
  const about = readAbout(raw)
  const at = numberIn(raw, 'date')
  if (about === undefined || at === undefined) return undefined

  const traits = {
    usr: objectIn(raw, 'usr'),
    account: objectIn(raw, 'account'),
    context: objectIn(raw, 'context'),
  }
  const { id: _id, anonymous_id: _anonymousId, ...person } = traits.usr
  return {
    ...{ about, at, traits, flags: objectIn(raw, 'feature_flags'), actions: actionsOf(raw) },
    attributes: {
      ...flatAttributes(traits.context, ''),
      ...envAttribute(raw),
      ...flatAttributes(traits.account, 'account.'),
      ...flatAttributes(person, 'usr.'),
    },
  }
}

/** Nothing when it does not say of which session. */
export function readAbout(raw: JsonObject): RumContext | undefined {
  const [session, view, usr] = [objectIn(raw, 'session'), objectIn(raw, 'view'), objectIn(raw, 'usr')]
  const [sessionId, viewId] = [idIn(session, 'id'), idIn(view, 'id')]
  const tab = idIn(objectIn(raw, 'tab'), 'id')
  if (sessionId === undefined) return undefined

  return {
    session: sessionId,
    ...(tab && { tab }),
    ...(viewId && { view: viewId }),
    ...given('anonymousId', wordIn(usr, 'anonymous_id')),
    ...given('userKey', wordIn(usr, 'id')),
    // Only when the application names its views.
    ...given('page', textIn(view, 'name')),
    ...given('url', textIn(view, 'url')),
    ...given('referrer', textIn(view, 'referrer')),
    ...given('service', serviceOf(raw)),
    ...given('version', textIn(raw, 'version')),
    ...given('connection', textIn(objectIn(raw, 'connectivity'), 'effective_type')),
    weight: weightOf(raw),
    hasReplay: session.has_replay === true,
  }
}

/** Applications give numbers for ids, too. */
function wordIn(value: JsonObject, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'number' ? String(member) : textIn(value, name)
}

/** Without one, the client names its application in its place. */
function serviceOf(raw: JsonObject): string | undefined {
  const service = textIn(raw, 'service')
  return service === textIn(objectIn(raw, 'application'), 'id') ? undefined : service
}

const wholePercent = 100

/** Of the sessions, the client sends as many percent. */
function weightOf(raw: JsonObject): number {
  const rate = numberIn(objectIn(objectIn(raw, '_dd'), 'configuration'), 'session_sample_rate')
  return rate !== undefined && rate > 0 && rate < wholePercent ? wholePercent / rate : 1
}

const envTag = /(?:^|,)\s*env:([^,]+)/

function envAttribute(raw: JsonObject): { env?: string } {
  const found = envTag.exec(textIn(raw, 'ddtags') ?? '')?.[1]
  return found === undefined ? {} : { env: found }
}

function actionsOf(raw: JsonObject): string[] {
  const action = objectIn(raw, 'action')
  const one = idIn(action, 'id')
  if (one !== undefined) return [one]
  return listIn(action, 'id').flatMap((id) => idIn({ id }, 'id') ?? [])
}
