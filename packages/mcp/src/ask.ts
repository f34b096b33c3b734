// How the tools and resources reach the management API: over the network, or in the process of the server.

import { type Call, type Method, parameterNames } from '@telltale/core/contract/call'

/** One request to the management API. */
export interface Asked {
  method: Method
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  /** JSON. */
  body: string | undefined
}

export interface Answer {
  status: number
  /** JSON, or empty. */
  text: string
}

/** Sends a request with the credential of the caller. Rejects only when no answer came. */
export type Ask = (asked: Asked) => Promise<Answer>

/** What a client gave to a tool that is not a call of the API. */
export class ArgumentError extends Error {
  override name = 'ArgumentError'
}

/**
 * The request of a call: members of `given` named like parts of the path or of the query go there, `body` is the body,
 * and `version` is sent as `If-Match`. The server validates them.
 */
export function requestOf(call: Call, given: Readonly<Record<string, unknown>>): Asked {
  const names: readonly string[] = parameterNames(call.path)
  const path = call.path.replace(/:([a-zA-Z]+)/g, (_, name: string) => {
    const value = given[name]
    if (typeof value !== 'string' || value === '') throw new ArgumentError(`"${name}" is missing.`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const name of Object.keys(call.query?.properties ?? {})) {
    if (names.includes(name)) continue
    for (const value of [given[name]].flat()) if (value !== undefined) search.append(name, String(value))
  }
  const isVersioned = call.versioned && given.version !== undefined
  return {
    method: call.method,
    path: search.size > 0 ? `${path}?${search}` : path,
    headers: {
      accept: 'application/json',
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(isVersioned && { 'if-match': `"${String(given.version)}"` }),
    },
    body: call.body === undefined ? undefined : JSON.stringify(given.body ?? {}),
  }
}
