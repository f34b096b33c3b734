import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import { readStrictJson } from '../../platform/http/strict-json.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import type { ServedRuleSet } from '../delivery/build-rule-set.ts'
import { Refused } from './refused.ts'

/** A request with a valid key. */
export interface FlagsmithRequest {
  key: KnownKey
  served: ServedRuleSet
  query: unknown
  body: Buffer | undefined
  /** Of the client, for a client key; undefined for a server key. */
  address: string | undefined
  /** The memory claim of the request. */
  claim: MemoryClaim
  /** At an edge, which has no kept traits: has the server answer the call. Throws `Refused`. */
  elsewhere?: (() => Promise<Answer>) | undefined
}

/** The response: JSON text, or a value. */
export type Answer = ({ text: string } | { value: unknown }) & { headers?: Record<string, string> }

/** The body as JSON. Throws `Refused`. */
export function jsonOf({ body, claim }: FlagsmithRequest): unknown {
  claim.grow(parsedSize(body ?? new Uint8Array()))
  const read = readStrictJson(body ?? new Uint8Array())
  if ('value' in read) return read.value
  throw new Refused(400, { detail: `JSON parse error: the body ${read.faults[0]?.message ?? 'is not JSON'}` })
}
