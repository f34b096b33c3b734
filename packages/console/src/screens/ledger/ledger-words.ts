// The ledger in words: never more certain than its intervals.

import type { HarmKind } from '@telltale/core/guard/ledger/ledger-counts'
import type { ExcessHarm, HarmBudget, LedgerEntry } from '../../api/ledger.ts'
import { countOf, countText, shareText, signedText } from '../../ui/text/measure-text.ts'

export const kindWords: Record<HarmKind, string> = {
  any: 'Any',
  error: 'Errors',
  'failed-request': 'Failed requests',
  'blank-view': 'Blank views',
  'server-error': 'Server errors',
}

const faultWords: Record<NonNullable<LedgerEntry['fault']>, string> = {
  'too-few-users': 'Too few users to compare',
  'split-wrong': 'Sample ratio mismatch',
  reassigned: 'Users lost the variation during the month',
}

/** Why there is no estimate; undefined if there is one. */
export function missingText({ fault, harm }: LedgerEntry, kind: HarmKind): string | undefined {
  if (fault !== null) return faultWords[fault]
  return harm[kind] === null ? 'Too few affected users' : undefined
}

export type HarmVerdict = 'more' | 'less' | 'same'

/** Whether the interval excludes 0. */
export function verdictOf({ lower, upper }: Pick<ExcessHarm, 'lower' | 'upper'>): HarmVerdict {
  if (lower > 0) return 'more'
  return upper < 0 ? 'less' : 'same'
}

/** `At least 120 more users affected`, with the bound rounded towards 0. */
export function harmText(harm: Pick<ExcessHarm, 'lower' | 'upper'>): string {
  const verdict = verdictOf(harm)
  if (verdict === 'same') return 'No difference shown'
  const least = Math.floor(verdict === 'more' ? harm.lower : -harm.upper)
  if (least === 0) return verdict === 'more' ? 'More users affected' : 'Fewer users affected'
  const word = verdict === 'more' ? 'more' : 'fewer'
  return `At least ${countOf(least, `${word} user`, `${word} users`)} affected`
}

/** `−12 to +310`: bounds are rounded outwards. */
export function boundsText({ lower, upper }: Pick<ExcessHarm, 'lower' | 'upper'>): string {
  return `${signed(Math.floor(lower))} to ${signed(Math.ceil(upper))}`
}

export const signed = (value: number) => signedText(value, countText)

/** `November 2026`. */
export function monthText(month: string): string {
  const at = new Date(`${month}-15T00:00:00Z`)
  return at.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** `500 users`, `0.5% of users`. */
export function budgetText({ amount, unit }: Pick<HarmBudget, 'amount' | 'unit'>): string {
  return unit === 'users' ? countOf(amount, 'user') : `${shareText(amount)} of users`
}

/** What happens while it is spent. */
export function policyText(policy: HarmBudget['policy']): string {
  return policy === 'wait'
    ? 'While it is spent, rollouts do not advance.'
    : 'Rollouts advance even if it is spent.'
}
