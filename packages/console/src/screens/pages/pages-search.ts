import type { PagesQuery } from '../../api/pages.ts'
import { textOf } from '../../ui/text/text-of.ts'

type PageSort = NonNullable<PagesQuery['sort']>

export const pageSorts = [
  'views',
  'LCP',
  'INP',
  'CLS',
  'FCP',
  'TTFB',
  'good',
  'errors',
] as const satisfies readonly PageSort[]

/** The list's state in the URL. */
export interface PagesSearch {
  /** The filter. */
  q?: string | undefined
  /** Text contained in routes. */
  search?: string | undefined
  sort?: PageSort | undefined
  /** The page whose detail is open beside the list. */
  peek?: string | undefined
}

export const breakdowns = ['variation', 'device', 'browser', 'country', 'version'] as const
export type Breakdown = (typeof breakdowns)[number]
export const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const

/** The page's state in the URL. */
export interface PageSearch {
  /** The filter. */
  q?: string | undefined
  /** The vital of the breakdown and the elements. */
  vital?: (typeof vitals)[number] | undefined
  by?: Breakdown | undefined
  /** The flag of the variations. */
  flag?: string | undefined
}

export function parsePagesSearch(search: Record<string, unknown>): PagesSearch {
  return {
    q: textOf(search.q),
    search: textOf(search.search),
    sort: pageSorts.find((one) => one === search.sort),
    peek: textOf(search.peek),
  }
}

export function parsePageSearch(search: Record<string, unknown>): PageSearch {
  return {
    q: textOf(search.q),
    vital: vitals.find((one) => one === search.vital),
    by: breakdowns.find((one) => one === search.by),
    flag: textOf(search.flag),
  }
}
