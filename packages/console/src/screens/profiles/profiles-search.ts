import { textOf } from '../../ui/text/text-of.ts'

/** What of the list stands in the address. */
export interface ProfilesSearch {
  /** The filter. */
  q?: string | undefined
  sort?: string | undefined
}

export const profileViews = ['flame', 'difference', 'functions'] as const
export type ProfileView = (typeof profileViews)[number]

/** What of the profiles of one page stands in the address. */
export interface PageProfilesSearch {
  /** The filter. */
  q?: string | undefined
  view?: ProfileView | undefined
  /** What the difference is between. */
  flag?: string | undefined
  control?: string | undefined
  treatment?: string | undefined
  /** What names of functions contain. */
  find?: string | undefined
  /** Where the flame graph is zoomed in: keys of functions from the outermost in. */
  zoom?: string | undefined
  /** The function that is looked at. */
  fn?: string | undefined
  sort?: string | undefined
  /** From what burns the time to what called it. */
  inverted?: true | undefined
  /** What of a function is compared: its own time (default), or all. */
  by?: 'self' | 'total' | undefined
}

/** What of one profile stands in the address. */
export interface ProfileSearch {
  /** A moment of it, in milliseconds since its start. */
  at?: number | undefined
  /** What is looked at of it, in milliseconds as well. */
  from?: number | undefined
  to?: number | undefined
  find?: string | undefined
}

export function parseProfilesSearch(search: Record<string, unknown>): ProfilesSearch {
  return { q: textOf(search.q), sort: textOf(search.sort) }
}

export function parsePageProfilesSearch(search: Record<string, unknown>): PageProfilesSearch {
  return {
    q: textOf(search.q),
    view: profileViews.find((one) => one === search.view),
    flag: textOf(search.flag),
    control: textOf(search.control),
    treatment: textOf(search.treatment),
    find: textOf(search.find),
    zoom: textOf(search.zoom),
    fn: textOf(search.fn),
    sort: textOf(search.sort),
    inverted: search.inverted === true ? true : undefined,
    by: search.by === 'total' ? 'total' : undefined,
  }
}

export function parseProfileSearch(search: Record<string, unknown>): ProfileSearch {
  return {
    at: spanOf(search.at),
    from: spanOf(search.from),
    to: spanOf(search.to),
    find: textOf(search.find),
  }
}

function spanOf(value: unknown): number | undefined {
  const span = value === undefined ? Number.NaN : Number(value)
  return Number.isFinite(span) && span >= 0 ? span : undefined
}
