// Attributes that events of a session share: the user, the account, and the application's own context. Computed once
// per batch for events with the same values.

import type { TelemetryEvent } from '../../contract/events.ts'
import { type JsonObject, objectIn, textIn } from '../json.ts'
import { flatAttributes } from './flat-attributes.ts'

type Attributes = NonNullable<TelemetryEvent['attributes']>
export type AttributesOf = (raw: JsonObject) => Attributes

const envTag = /(?:^|,)\s*env:([^,]+)/
const own = new Set(['id', 'anonymous_id'])

export function sharedAttributes(raw: JsonObject): Attributes {
  const env = envTag.exec(textIn(raw, 'ddtags') ?? '')?.[1]
  const person = Object.entries(objectIn(raw, 'usr')).filter(([name]) => !own.has(name))
  return {
    ...flatAttributes(objectIn(raw, 'context'), ''),
    ...(env === undefined ? {} : { env }),
    ...flatAttributes(objectIn(raw, 'account'), 'account.'),
    ...flatAttributes(Object.fromEntries(person), 'usr.'),
  }
}

/** Returns the same object for equal attributes. */
export function rememberAttributes(): AttributesOf {
  const known = new Map<string, Attributes>()

  return (raw) => {
    const key = JSON.stringify([raw.usr, raw.account, raw.context, raw.ddtags])
    const found = known.get(key) ?? sharedAttributes(raw)
    known.set(key, found)
    return found
  }
}
