// The body of a request of Grafana Faro's client: what is true of all of it (`meta`), and lists of what happened
// (https://github.com/grafana/faro-web-sdk, `TransportBody`). Every type is checked.

import type { EventContext } from '../../contract/events.ts'
import { given, isObject, type JsonObject, listIn, objectIn, shortIn, textIn } from '../json.ts'
import { userKeyOf } from '../named-user.ts'

export type FaroKind = 'event' | 'exception' | 'measurement' | 'log'

export interface FaroItem {
  kind: FaroKind
  /** By the client's clock; undefined when it has none. */
  at: number | undefined
  raw: JsonObject
}

const lists: readonly (readonly [member: string, kind: FaroKind])[] = [
  ['events', 'event'],
  ['exceptions', 'exception'],
  ['measurements', 'measurement'],
  ['logs', 'log'],
]

/** In the order in which they happened, after the start of the client; what has no time is last. */
export function readItems(body: JsonObject): FaroItem[] {
  const items = lists.flatMap(([member, kind]) =>
    listIn(body, member).map((item): FaroItem => {
      const raw = isObject(item) ? item : {}
      const at = Date.parse(textIn(raw, 'timestamp') ?? '')
      return { kind, at: Number.isNaN(at) || at < 0 ? undefined : at, raw }
    }),
  )
  return items.sort((one, other) => rankOf(one) - rankOf(other))
}

/** Timings from before the client started are known to be that once its start is. */
function rankOf({ kind, at = Number.MAX_VALUE, raw }: FaroItem): number {
  return kind === 'event' && clientStarts.has(textIn(raw, 'name') ?? '') ? 0 : at
}

/** What the client reports when it starts on a page. */
export const clientStarts = new Set(['session_start', 'session_resume'])

export interface FaroMeta {
  /** As the client names it: a short text. */
  sessionId: string | undefined
  user: JsonObject
  userKey: string | undefined
  service: string | undefined
  version: string | undefined
  url: string | undefined
  /** The template of the page, where the application named its view like one. */
  page: string | undefined
  /** Of every item. */
  attributes: NonNullable<EventContext['attributes']>
}

export function readMeta(body: JsonObject): FaroMeta {
  const meta = objectIn(body, 'meta')
  const [app, session, user] = [objectIn(meta, 'app'), objectIn(meta, 'session'), objectIn(meta, 'user')]
  const [page, view] = [objectIn(meta, 'page'), textIn(objectIn(meta, 'view'), 'name')]
  return {
    ...{ user, userKey: userKeyOf(user), sessionId: shortIn(session, 'id') },
    ...{ service: shortIn(app, 'name'), version: shortIn(app, 'version') ?? shortIn(app, 'release') },
    ...{ url: shortIn(page, 'url'), page: view?.startsWith('/') ? view : undefined },
    attributes: {
      ...textsIn(objectIn(session, 'attributes')),
      ...textsIn(objectIn(page, 'attributes')),
      ...given('page.id', textIn(page, 'id')),
      ...given('view', view),
      ...given('environment', textIn(app, 'environment')),
      ...given('namespace', textIn(app, 'namespace')),
    },
  }
}

/** Attributes and contexts of Faro are texts; numbers are those of measurements. */
export function textsIn(values: JsonObject): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || (typeof entry[1] === 'number' && Number.isFinite(entry[1])),
    ),
  )
}
