// The flag to compare first: the one whose variations differ most for users, never one that everybody has alike.
import type { FlagTelltale } from '../../api/telltales.ts'
import { compareTelltales, stateOfTelltale } from './telltale-words.ts'
import { worstOf } from './use-telltale.ts'

/** Users, sessions or events with a variation, as facets count them: `checkout=on`. */
export interface SeenVariation {
  readonly value: string
  readonly count: number
}

export interface OrderedFlags {
  /** The ones that stand out most first. */
  readonly flags: readonly string[]
  /** Undefined if every flag has a single variation. */
  readonly standsOut: string | undefined
}

const differing = ['fluttering', 'fouled', 'lifted']

/**
 * First the flags with a verdict of harm, then those whose variations are seen in the most equal shares, and last those
 * that were only seen with one variation.
 */
export function orderByDifference(
  seen: readonly SeenVariation[],
  telltales: readonly FlagTelltale[],
): OrderedFlags {
  const counts = new Map<string, number[]>()
  for (const { value, count } of seen) {
    const flag = value.split('=', 1)[0] ?? ''
    counts.set(flag, [...(counts.get(flag) ?? []), count])
  }
  const all = [...counts].map(([flag, each]) => ({
    flag,
    ...balanceOf(each),
    verdict: verdictOf(flag, telltales),
  }))
  const ordered = all.toSorted(
    (a, b) =>
      Number(b.isSplit) - Number(a.isSplit) ||
      compareVerdicts(a.verdict, b.verdict) ||
      b.balance - a.balance ||
      b.count - a.count,
  )
  return { flags: ordered.map(({ flag }) => flag), standsOut: ordered.find(({ isSplit }) => isSplit)?.flag }
}

function balanceOf(counts: readonly number[]) {
  const count = counts.reduce((sum, one) => sum + one, 0)
  const [, second = 0] = counts.toSorted((a, b) => b - a)
  return { count, isSplit: second > 0, balance: count > 0 ? second / count : 0 }
}

function verdictOf(flag: string, telltales: readonly FlagTelltale[]): FlagTelltale | undefined {
  const worst = worstOf(telltales, flag)
  return worst !== undefined && differing.includes(stateOfTelltale(worst)) ? worst : undefined
}

function compareVerdicts(a: FlagTelltale | undefined, b: FlagTelltale | undefined): number {
  if (a !== undefined && b !== undefined) return compareTelltales(a, b)
  return Number(b !== undefined) - Number(a !== undefined)
}
