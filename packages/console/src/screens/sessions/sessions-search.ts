import type { SessionSort } from '../../api/sessions.ts'
import { textOf } from '../../ui/text/text-of.ts'
import { isMomentKind, type MomentKind, momentKinds } from './timeline/moment-kinds.ts'

/** The list's state in the URL: filters and order. A session keeps it to page through the list. */
export interface ListSearch {
  /** The filter. */
  q?: string | undefined
  /** A sequence of event filters. */
  seq?: string | undefined
  sort?: SessionSort | undefined
}

export interface SessionsSearch extends ListSearch {
  view?: 'compare' | undefined
  /** The flag whose variations are a column and are compared. */
  flag?: string | undefined
  /** The session whose detail is open beside the list. */
  peek?: string | undefined
}

export interface SessionSearch extends ListSearch {
  /** Comma-separated kinds of listed events; `all` for every kind. */
  kinds?: string | undefined
  tab?: PanelTab | undefined
}

/** The flag for which the similar session got another variation. */
export interface SimilarSearch {
  flag?: string | undefined
  control?: string | undefined
}

export function parseSimilarSearch(search: Record<string, unknown>): SimilarSearch {
  return { flag: textOf(search.flag), control: textOf(search.control) }
}

export const panelTabs = ['events', 'console', 'network', 'flags', 'notes'] as const
export type PanelTab = (typeof panelTabs)[number]

/** Names every parameter: omitted ones would pass through unvalidated. */
export function parseSessionsSearch(search: Record<string, unknown>): SessionsSearch {
  return {
    ...parseListSearch(search),
    view: search.view === 'compare' ? 'compare' : undefined,
    flag: textOf(search.flag),
    peek: textOf(search.peek),
  }
}

export function parseSessionSearch(search: Record<string, unknown>): SessionSearch {
  return {
    ...parseListSearch(search),
    kinds: textOf(search.kinds),
    tab: panelTabs.find((tab) => tab === search.tab),
  }
}

/** Undefined without one in the URL. */
export function kindsOf({ kinds = '' }: SessionSearch): MomentKind[] | undefined {
  if (kinds === 'all') return Object.keys(momentKinds).filter(isMomentKind)
  const named = kinds.split(',').filter(isMomentKind)
  return named.length === 0 ? undefined : named
}

function parseListSearch(search: Record<string, unknown>): ListSearch {
  return {
    q: textOf(search.q),
    seq: textOf(search.seq),
    sort: search.sort === 'trouble' ? 'trouble' : undefined,
  }
}
