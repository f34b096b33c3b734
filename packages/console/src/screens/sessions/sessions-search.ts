import type { SessionSort } from '../../api/sessions.ts'
import { textOf } from '../../ui/text/text-of.ts'
import { isMomentKind, type MomentKind, momentKinds } from './timeline/moment-kinds.ts'

/** What of the list stands in the address: which sessions, and in which order. A session keeps it to go on from there. */
export interface ListSearch {
  /** The filter. */
  q?: string | undefined
  /** Filters that events fit one after the other. */
  seq?: string | undefined
  sort?: SessionSort | undefined
}

export interface SessionsSearch extends ListSearch {
  view?: 'compare' | undefined
  /** The flag whose variations have a column, and are compared. */
  flag?: string | undefined
  /** The session whose detail is open beside the list. */
  peek?: string | undefined
}

export interface SessionSearch extends ListSearch {
  /** Kinds of events that are listed, with commas between them; `all` for every one. */
  kinds?: string | undefined
  tab?: PanelTab | undefined
}

/** of which flag the similar session got which other variation. */
export interface SimilarSearch {
  flag?: string | undefined
  control?: string | undefined
}

export function parseSimilarSearch(search: Record<string, unknown>): SimilarSearch {
  return { flag: textOf(search.flag), control: textOf(search.control) }
}

export const panelTabs = ['events', 'console', 'network', 'flags', 'notes'] as const
export type PanelTab = (typeof panelTabs)[number]

/** Names every parameter: what is left out would come through as it stands in the address. */
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

/** Undefined where the address names none. */
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
