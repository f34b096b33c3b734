import type { ServedRuleSet } from '../delivery/build-rule-set.ts'
import type { KnownKey } from '../delivery/known-keys.ts'
import { readStrictJson } from '../http/strict-json.ts'
import { Refused } from './refused.ts'

/** A request whose key is known. */
export interface Asked {
  key: KnownKey
  served: ServedRuleSet
  query: unknown
  body: Buffer | undefined
}

/** What is sent: a text that is JSON already, or a value. */
export type Answer = ({ text: string } | { value: unknown }) & { headers?: Record<string, string> }

/** The body as JSON. Throws `Refused`. */
export function jsonOf({ body }: Asked): unknown {
  const read = readStrictJson(body ?? new Uint8Array())
  if ('value' in read) return read.value
  throw new Refused(400, { detail: `JSON parse error: the body ${read.faults[0]?.message ?? 'is not JSON'}` })
}
