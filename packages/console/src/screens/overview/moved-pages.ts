import { type Rating, rateVital, type VitalName } from '@telltale/core/telemetry/vitals'
import type { PageRow } from '../../api/pages.ts'

export interface Move {
  readonly name: VitalName
  readonly now: number
  readonly before: number
}

export interface MovedPage {
  readonly page: PageRow
  readonly moves: readonly Move[]
  /** The change relative to its random variation. */
  readonly rank: number
}

const watched = ['LCP', 'INP', 'CLS'] as const satisfies readonly VitalName[]

/** The pages whose vitals changed most vs the previous period, largest change first. */
export function findMovedPages(now: readonly PageRow[], before: readonly PageRow[]): MovedPage[] {
  const former = new Map(before.map((row) => [row.page, row]))
  return now
    .map((page) => {
      const earlier = former.get(page.page)
      const compared = watched.flatMap((name) => (earlier ? compare(name, page, earlier) : []))
      return {
        page,
        moves: compared.map(({ move }) => move),
        rank: Math.max(0, ...compared.map(({ rank }) => rank)),
      }
    })
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
}

/** A percentile of few values varies widely: the weight of a change grows with the square root of their number. */
function compare(name: VitalName, now: PageRow, before: PageRow): { move: Move; rank: number }[] {
  const one = now.vitals.find((vital) => vital.name === name)
  const two = before.vitals.find((vital) => vital.name === name)
  if (one?.p75 == null || two?.p75 == null || one.p75 <= 0 || two.p75 <= 0) return []
  const rank = Math.abs(Math.log(one.p75 / two.p75)) * Math.sqrt(Math.min(one.count, two.count))
  return [{ move: { name, now: one.p75, before: two.p75 }, rank }]
}

const order: Readonly<Record<Rating, number>> = { good: 0, 'needs-improvement': 1, poor: 2 }

/** The vitals of a page with a worse rating than in the previous period. */
export function findWorseRatings({ moves }: MovedPage): (Move & { rating: Rating })[] {
  return moves.flatMap((move) => {
    const rating = rateVital(move.name, move.now)
    return order[rating] > order[rateVital(move.name, move.before)] ? [{ ...move, rating }] : []
  })
}
