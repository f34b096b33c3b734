// How the tools and resources reach the management API: over the network, or in the process of the server.

import { type Call, type Method, parameterNames } from '@telltale/core/contract/call'
import { fillPath, queryText, requestHeaders } from '@telltale/core/contract/request'

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
  const params: Record<string, string> = {}
  for (const name of parameterNames(call.path)) {
    const value = given[name]
    if (typeof value !== 'string' || value === '') throw new ArgumentError(`"${name}" is missing.`)
    params[name] = value
  }
  const query = Object.keys(call.query?.properties ?? {}).filter((name) => !Object.hasOwn(params, name))
  const body = call.body === undefined ? undefined : (given.body ?? {})
  const ifMatch = call.versioned && typeof given.version === 'number' ? given.version : undefined
  return {
    method: call.method,
    path:
      fillPath(call.path, params) + queryText(Object.fromEntries(query.map((name) => [name, given[name]]))),
    headers: requestHeaders({ body, ifMatch }),
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}
