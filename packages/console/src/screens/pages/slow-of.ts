import type { PageVital } from '../../api/pages.ts'
import { vitalText } from '../../ui/text/measure-text.ts'

type Rated = Pick<PageVital, 'name' | 'p75' | 'good' | 'poor' | 'boundaries'>

/** With a smaller share, an analysis of the affected users is not meaningful. */
const enough = 0.05

/**
 * The threshold from which a value of the page counts as slow: the rating's, if enough views exceed it; else
 * the slowest quarter.
 */
export function slowOf({
  name,
  p75,
  good,
  poor,
  boundaries,
}: Rated): { over: number; words: string } | undefined {
  if (p75 === null || good === null || poor === null) return undefined
  const [first = 0, second = 0] = boundaries
  if (poor >= enough) return { over: second, words: `poor ${name}, over ${vitalText(name, second)}` }
  if (1 - good >= enough) return { over: first, words: `${name} not good, over ${vitalText(name, first)}` }
  // Rounded to two digits, so that the population stays the same while values arrive.
  const over = Number(p75.toPrecision(2))
  return { over, words: `the slowest quarter of ${name}, over ${vitalText(name, over)}` }
}
