import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export interface ProfilesSearch {
  /** The filter. */
  q?: string | undefined
  sort?: string | undefined
}

export const profileViews = ['flame', 'difference', 'functions'] as const
export type ProfileView = (typeof profileViews)[number]

/** The state of a page's profiles in the URL. */
export interface PageProfilesSearch {
  /** The filter. */
  q?: string | undefined
  view?: ProfileView | undefined
  /** The compared variations. */
  flag?: string | undefined
  control?: string | undefined
  treatment?: string | undefined
  /** Text contained in function names. */
  find?: string | undefined
  /** The zoom of the flame graph: function keys, outermost first. */
  zoom?: string | undefined
  /** The selected function. */
  fn?: string | undefined
  sort?: string | undefined
  /** Bottom-up: from the functions with self time to their callers. */
  inverted?: true | undefined
  /** The compared time of a function: self time (default) or total time. */
  by?: 'self' | 'total' | undefined
}

/** The state of one profile in the URL. */
export interface ProfileSearch {
  /** A moment in milliseconds since the start. */
  at?: number | undefined
  /** The visible range, also in milliseconds. */
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
