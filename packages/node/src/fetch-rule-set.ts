// One request to the server: the changes since this version, or the whole rule set. Always times out.

import type { RuleSetDelta, RuleSetFile } from '@telltale/core/contract/rule-set-file'

export type Fetched =
  | { kind: 'unchanged' }
  | { kind: 'delta'; delta: RuleSetDelta }
  | { kind: 'whole'; file: RuleSetFile }

/** The key is not, or no longer, accepted. */
export class Refused extends Error {}

/** The server asked the client to wait (Retry-After). */
export class Busy extends Error {
  readonly retryAfter: number

  constructor(status: number, retryAfter: number) {
    super(`The Telltale server answered ${status}.`)
    this.retryAfter = retryAfter
  }
}

export interface Server {
  url: string
  key: string
}

/** Allows for a large rule set on a slow connection, and bounds a server that hangs. */
const patience = 30_000
/** Cap on Retry-After: no response pauses a client for longer. */
const longestRetryAfter = 5 * 60_000

export async function fetchRuleSet(
  { url, key }: Server,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Fetched> {
  const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
  const response = await fetch(`${url}/sdk/v1/ruleset${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(since === undefined ? {} : { 'if-none-match': `"${since}"` }),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
  })
  if (response.status === 304) return { kind: 'unchanged' }
  if (!response.ok) {
    await response.body?.cancel()
    throw faultOf(response)
  }

  const body: unknown = await response.json()
  if (isDelta(body)) return { kind: 'delta', delta: body }
  if (isRuleSetFile(body)) return { kind: 'whole', file: body }
  throw new Error(`${url} does not answer as a Telltale server.`)
}

export function faultOf({ status, headers }: Response): Error {
  if (status === 401 || status === 403) return new Refused(`The Telltale server refused the key (${status}).`)
  const seconds = Number(headers.get('retry-after'))
  const retryAfter = Number.isFinite(seconds) ? Math.min(longestRetryAfter, seconds * 1_000) : 0
  return new Busy(status, retryAfter)
}

/**
 * Checks only the outer structure: a Telltale server wrote it, and a flag that fails to compile does not affect the
 * others.
 */
export function isRuleSetFile(given: unknown): given is RuleSetFile {
  if (typeof given !== 'object' || given === null) return false
  const { version, environment, flags, segments } = given as Partial<Record<string, unknown>>
  return (
    typeof version === 'string' &&
    typeof environment === 'string' &&
    Array.isArray(flags) &&
    Array.isArray(segments) &&
    [...flags, ...segments].every((each) => typeof each?.key === 'string')
  )
}

function isDelta(given: unknown): given is RuleSetDelta {
  return isRuleSetFile(given) && 'since' in given && typeof given.since === 'string'
}
