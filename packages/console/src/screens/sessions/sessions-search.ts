import { oneOf, type SearchOf, searchParser } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'
import { isMomentKind, type MomentKind, momentKinds } from './timeline/moment-kinds.ts'

/** Filters and order of the list. A session keeps them to page through the list. */
const list = {
  /** The filter. */
  q: textOf,
  /** A sequence of event filters. */
  seq: textOf,
  sort: oneOf('newest', 'trouble', 'errors', 'length', 'lcp', 'inp'),
}
export type ListSearch = SearchOf<typeof list>

/** The list's state in the URL. */
export const parseSessionsSearch = searchParser({
  ...list,
  view: oneOf('compare'),
  /** The flag whose variations are a column and are compared. */
  flag: textOf,
  /** The session whose detail is open beside the list. */
  peek: textOf,
})
export type SessionsSearch = ReturnType<typeof parseSessionsSearch>

const panelTabs = ['events', 'console', 'network', 'flags', 'notes'] as const
export type PanelTab = (typeof panelTabs)[number]

export const parseSessionSearch = searchParser({
  ...list,
  /** The playlist that is played. */
  playlist: textOf,
  /** Comma-separated kinds of listed events; `all` for every kind. */
  kinds: textOf,
  tab: oneOf(...panelTabs),
  /** Text in the console messages or requests that are listed. */
  find: textOf,
  /** The least severe level of listed messages. */
  level: oneOf('info', 'warn', 'error'),
  /** Which requests are listed. */
  requests: oneOf('data', 'failed', 'details'),
})
export type SessionSearch = ReturnType<typeof parseSessionSearch>

/** The flag for which the similar session got another variation. */
export const parseSimilarSearch = searchParser({ flag: textOf, control: textOf })

/** Undefined without one in the URL. */
export function kindsOf({ kinds = '' }: SessionSearch): MomentKind[] | undefined {
  if (kinds === 'all') return Object.keys(momentKinds).filter(isMomentKind)
  const named = kinds.split(',').filter(isMomentKind)
  return named.length === 0 ? undefined : named
}
