import type { RequestGroup, RequestList } from '../../api/requests.ts'
import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export const parseRequestsSearch = searchParser({
  /** The telemetry filter. */
  q: textOf,
  /** Text contained in hosts and endpoints. */
  find: textOf,
  sort: oneOf('count', 'failed', 'failedShare', 'p50', 'p75', 'p95', 'total', 'meanBytes'),
  party: oneOf('own', 'third'),
  peek: textOf,
  /** Without a sample. */
  exact: trueOf,
})
export type RequestsSearch = ReturnType<typeof parseRequestsSearch>

export function listOf({ sort = 'count', find, party }: RequestsSearch): RequestList {
  return { sort, search: find?.slice(0, 200), party }
}

/** The state of one kind of request in the URL, besides its endpoint. */
export const parseRequestSearch = searchParser({
  q: textOf,
  method: textOf,
  host: textOf,
  /** The group-by field. */
  by: textOf,
  /** The problem for which suspects are listed; undefined means failures. */
  of: oneOf('slow'),
  /** Without a sample. */
  exact: trueOf,
})

export function nameOf({ method, host, endpoint }: RequestGroup): string {
  return `${method} ${host}${endpoint}`.trim()
}
