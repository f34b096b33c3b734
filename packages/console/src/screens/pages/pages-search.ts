import type { PagesQuery } from '../../api/pages.ts'
import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const pageSorts = [
  'views',
  'LCP',
  'INP',
  'CLS',
  'FCP',
  'TTFB',
  'good',
  'errors',
] as const satisfies readonly PagesQuery['sort'][]

/** The list's state in the URL. */
export const parsePagesSearch = searchParser({
  /** The filter. */
  q: textOf,
  /** Text contained in routes. */
  search: textOf,
  sort: oneOf(...pageSorts),
  /** The page whose detail is open beside the list. */
  peek: textOf,
  /** Without a sample. */
  exact: trueOf,
})
export type PagesSearch = ReturnType<typeof parsePagesSearch>

export const breakdowns = ['variation', 'device', 'browser', 'country', 'version'] as const
export type Breakdown = (typeof breakdowns)[number]
export const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const

/** The page's state in the URL. */
export const parsePageSearch = searchParser({
  /** The filter. */
  q: textOf,
  /** The vital of the breakdown and the elements. */
  vital: oneOf(...vitals),
  by: oneOf(...breakdowns),
  /** The flag of the variations. */
  flag: textOf,
  /** Without a sample. */
  exact: trueOf,
})
export type PageSearch = ReturnType<typeof parsePageSearch>
