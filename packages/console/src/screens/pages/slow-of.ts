import type { PageVital } from '../../api/pages.ts'
import { vitalText } from '../../ui/text/measure-text.ts'

type Rated = Pick<PageVital, 'name' | 'p75' | 'good' | 'poor' | 'boundaries'>

/** Fewer than this share tell nothing about who has it. */
const enough = 0.05

/** From where on a value of a page is one to ask about: what is rated so, where enough are; else the slowest quarter. */
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
  // Two digits: who counts stays the same while values come in.
  const over = Number(p75.toPrecision(2))
  return { over, words: `the slowest quarter of ${name}, over ${vitalText(name, over)}` }
}
