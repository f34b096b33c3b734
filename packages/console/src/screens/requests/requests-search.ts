import type { RequestGroup, RequestList } from '../../api/requests.ts'
import { textOf } from '../../ui/text/text-of.ts'

const orders = ['count', 'failed', 'failedShare', 'p50', 'p75', 'p95', 'total', 'meanBytes'] as const
const parties = ['own', 'third'] as const

/** The list's state in the URL. */
export interface RequestsSearch {
  /** The telemetry filter. */
  q?: string | undefined
  /** Text contained in hosts and endpoints. */
  find?: string | undefined
  sort?: (typeof orders)[number] | undefined
  party?: (typeof parties)[number] | undefined
  peek?: string | undefined
}

export function parseRequestsSearch(search: Record<string, unknown>): RequestsSearch {
  return {
    q: textOf(search.q),
    find: textOf(search.find),
    sort: orders.find((one) => one === search.sort),
    party: parties.find((one) => one === search.party),
    peek: textOf(search.peek),
  }
}

export function listOf({ sort = 'count', find, party }: RequestsSearch): RequestList {
  return { sort, search: find?.slice(0, 200), party }
}

/** The state of one kind of request in the URL, besides its endpoint. */
export interface RequestSearch {
  q?: string | undefined
  method?: string | undefined
  host?: string | undefined
  /** The group-by field. */
  by?: string | undefined
  /** The problem for which suspects are listed; undefined means failures. */
  of?: 'slow' | undefined
}

export function parseRequestSearch(search: Record<string, unknown>): RequestSearch {
  return {
    q: textOf(search.q),
    method: textOf(search.method),
    host: textOf(search.host),
    by: textOf(search.by),
    of: search.of === 'slow' ? 'slow' : undefined,
  }
}

export function nameOf({ method, host, endpoint }: RequestGroup): string {
  return `${method} ${host}${endpoint}`.trim()
}
