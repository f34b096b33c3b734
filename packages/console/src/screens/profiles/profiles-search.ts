import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export const parseProfilesSearch = searchParser({
  /** The filter. */
  q: textOf,
  sort: textOf,
})
export type ProfilesSearch = ReturnType<typeof parseProfilesSearch>

/** The state of a page's profiles in the URL. */
export const parsePageProfilesSearch = searchParser({
  /** The filter. */
  q: textOf,
  view: oneOf('flame', 'difference', 'functions'),
  /** The compared variations. */
  flag: textOf,
  control: textOf,
  treatment: textOf,
  /** Text contained in function names. */
  find: textOf,
  /** The zoom of the flame graph: function keys, outermost first. */
  zoom: textOf,
  /** The selected function. */
  fn: textOf,
  sort: textOf,
  /** Bottom-up: from the functions with self time to their callers. */
  inverted: trueOf,
  /** The compared time of a function: self time (default) or total time. */
  by: oneOf('self', 'total'),
})
export type PageProfilesSearch = ReturnType<typeof parsePageProfilesSearch>
export type ProfileView = NonNullable<PageProfilesSearch['view']>

/** The state of one profile in the URL. */
export const parseProfileSearch = searchParser({
  /** A moment in milliseconds since the start. */
  at: spanOf,
  /** The visible range, also in milliseconds. */
  from: spanOf,
  to: spanOf,
  find: textOf,
})
export type ProfileSearch = ReturnType<typeof parseProfileSearch>

function spanOf(value: unknown): number | undefined {
  const span = value === undefined ? Number.NaN : Number(value)
  return Number.isFinite(span) && span >= 0 ? span : undefined
}
