import { harmKinds } from '@telltale/core/guard/ledger/ledger-counts'
import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'

const monthOf = (value: unknown) =>
  typeof value === 'string' && /^20\d\d-(0[1-9]|1[0-2])$/.test(value) ? value : undefined

/** The ledger's state in the URL. */
export const parseLedgerSearch = searchParser({
  /** Default: the current one. */
  month: monthOf,
  /** Default: any. */
  kind: oneOf(...harmKinds),
  /** The dialog of the budget is open. */
  budget: trueOf,
})
export type LedgerSearch = ReturnType<typeof parseLedgerSearch>
