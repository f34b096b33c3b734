// Reads members of untrusted JSON: every type is checked.

import { limits } from '../limits.ts'
import { cutText } from './clean-text.ts'

export type JsonObject = Readonly<Record<string, unknown>>

const none: JsonObject = Object.freeze({})

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An empty object when the member is missing or not an object. */
export function objectIn(value: JsonObject, name: string): JsonObject {
  const member = value[name]
  return isObject(member) ? member : none
}

export function textIn(value: JsonObject, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'string' && member !== '' ? member : undefined
}

/** For texts kept in memory: at most as long as an address. */
export function shortIn(value: JsonObject, name: string): string | undefined {
  const text = textIn(value, name)
  return text && cutText(text, limits.eventTextLength)
}

/** Finite and not negative. */
export function numberIn(value: JsonObject, name: string): number | undefined {
  const member = value[name]
  return typeof member === 'number' && Number.isFinite(member) && member >= 0 ? member : undefined
}

export function countIn(value: JsonObject, name: string): number {
  return Math.round(numberIn(objectIn(value, name), 'count') ?? 0)
}

export function listIn(value: JsonObject, name: string): readonly unknown[] {
  const member = value[name]
  return Array.isArray(member) ? member : []
}

export const nanosecondsPerMillisecond = 1e6

/** Datadog's durations are integer nanoseconds. */
export function millisecondsIn(value: JsonObject, name: string): number | undefined {
  const span = numberIn(value, name)
  return span === undefined ? undefined : span / nanosecondsPerMillisecond
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function idIn(value: JsonObject, name: string): string | undefined {
  const member = value[name]
  return typeof member === 'string' && uuid.test(member) ? member.toLowerCase() : undefined
}

/** An object with the member, or an empty object when the value is undefined. */
export function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  const found: Partial<Record<Name, Value>> = {}
  if (value !== undefined) found[name] = value
  return found
}
