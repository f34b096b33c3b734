import { searchParser } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export const parseIdentitiesSearch = searchParser({
  /** Prefix of the targeting key. */
  q: textOf,
  trait: textOf,
  value: textOf,
  /** The identity whose traits are open beside the list. */
  peek: textOf,
})
export type IdentitiesSearch = ReturnType<typeof parseIdentitiesSearch>

/** The identity screen's state in the URL. */
export const parseIdentitySearch = searchParser({
  /** Part of a flag key. */
  q: textOf,
  /** The flag whose evaluation trace is open. */
  flag: textOf,
  /** The flag to override; empty while none is chosen. */
  override: (value) => (value === '' ? '' : textOf(value)),
})
export type IdentitySearch = ReturnType<typeof parseIdentitySearch>
