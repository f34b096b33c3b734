// What events of Sentry's clients say about the user, the release and the flags.

import type { EventContext } from '../../contract/events.ts'
import { isObject, type JsonObject, listIn, objectIn, textIn } from '../json.ts'

type Attributes = NonNullable<EventContext['attributes']>

/** Values by flag, as the flags integrations of the client report them. */
export function flagsOfEvent(event: JsonObject): JsonObject {
  const values = listIn(objectIn(objectIn(event, 'contexts'), 'flags'), 'values').filter(isObject)
  return Object.fromEntries(values.flatMap((value) => flagOf(textIn(value, 'flag'), value.result)))
}

const flagPrefix = 'flag.evaluation.'

export function flagsOfAttributes(attributes: JsonObject): JsonObject {
  const names = Object.keys(attributes).filter((name) => name.startsWith(flagPrefix))
  return Object.fromEntries(names.flatMap((name) => flagOf(name.slice(flagPrefix.length), attributes[name])))
}

const flagOf = (flag: string | undefined, value: unknown) =>
  flag === undefined || value === undefined || value === null ? [] : [[flag, value] as const]

/** Tags and other simple values; objects are left out. */
export function attributesOf(event: JsonObject): Attributes {
  const found: Attributes = {}
  for (const [prefix, values] of [
    ['', objectIn(event, 'tags')],
    ['extra.', objectIn(event, 'extra')],
  ] as const) {
    for (const [name, value] of Object.entries(values)) {
      if (name !== 'replayId' && isSimple(value)) found[`${prefix}${name}`] = value
    }
  }
  for (const name of ['environment', 'level', 'transaction', 'server_name'] as const) {
    const value = textIn(event, name)
    if (value !== undefined) found[name] = value
  }
  return found
}

const isSimple = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
