// A month of the ledger as CSV (RFC 4180).

import type { ReplyOf } from '@telltale/core/contract/call'
import type { getLedger as getLedgerCall } from '@telltale/core/contract/ledger'
import { harmKinds } from '@telltale/core/guard/ledger/ledger-counts'
import { toCsvLine } from '../../organisation/audit/csv.ts'

const columns = [
  ...[
    'month',
    'flag',
    'variation',
    'control',
    'users',
    'controlUsers',
    'kind',
    'affected',
    'controlAffected',
  ],
  ...['excess', 'lower', 'upper', 'confirmed', 'together', 'fault'],
]

/** One line per variation and kind of harm with an estimate, or one with the reason why there is no estimate. */
export function ledgerAsCsv({ month, figures }: ReplyOf<typeof getLedgerCall>): string {
  const lines = (figures?.entries ?? []).flatMap((entry) => {
    const { flag, variation, control, users, controlUsers } = entry
    const head = [month, flag, variation, control, users, controlUsers]
    const together = entry.together.map((other) => `${other.flag}=${other.variation}`).join(' ')
    const rows = harmKinds.flatMap((kind) => {
      const harm = entry.harm[kind]
      if (harm === null) return []
      const { affected, controlAffected, estimate, lower, upper, confirmed } = harm
      // Bounds are never shown inside of their interval.
      const numbers = [round(estimate), down(lower), -down(-upper), down(confirmed)]
      return [toCsvLine([...head, kind, affected, controlAffected, ...numbers, together, null])]
    })
    const none = Array.from({ length: 7 }, () => null)
    return rows.length > 0
      ? rows
      : [toCsvLine([...head, ...none, together, entry.fault ?? 'too-few-affected'])]
  })
  return [toCsvLine(columns), ...lines].join('')
}

const round = (value: number) => Math.round(value * 10) / 10
const down = (value: number) => Math.floor(value * 10) / 10
