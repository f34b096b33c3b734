// All rounds of the A/A test together: how often the guard's statistics raised false alarms on this site, compared with
// the promised rate.
import { limits } from '../../limits.ts'
import { wilsonInterval } from '../../statistics/wilson.ts'
import { aaTestAlpha } from './judge-round.ts'

export interface RoundOutcome {
  /** Metrics with enough users for a verdict. */
  judged: number
  /** Each metric whose interval ever excluded zero, with its smallest probability. */
  alarms: readonly { metric: string; chance: number }[]
  isSplitWrong: boolean
  isOver: boolean
}

interface AaTestSummary {
  /**
   * `kept`: no evidence of more alarms than promised, which few rounds cannot rule out. `exceeded`: more than chance
   * explains. `split-wrong`: the halves of the current round are not equal, so its numbers cannot be trusted.
   */
  verdict: 'nothing-yet' | 'too-early' | 'kept' | 'exceeded' | 'split-wrong'
  /** Metrics of completed rounds. */
  judged: number
  alarmed: number
  rounds: number
  rate: { lower: number; share: number; upper: number } | null
}

/** Too unlikely to be chance, however many metrics were tested. */
const beyondChance = 0.001

/** Newest first. */
export function summarizeRounds(rounds: readonly RoundOutcome[]): AaTestSummary {
  const over = rounds.filter(({ isOver, judged }) => isOver && judged > 0)
  const judged = over.reduce((sum, round) => sum + round.judged, 0)
  const alarmed = over.reduce((sum, { alarms }) => sum + alarms.length, 0)
  const rate = wilsonInterval(alarmed, judged) ?? null
  const verdict = verdictOf(rounds, over, { judged, rate })
  return { verdict, judged, alarmed, rounds: over.length, rate }
}

function verdictOf(
  rounds: readonly RoundOutcome[],
  over: readonly RoundOutcome[],
  { judged, rate }: Pick<AaTestSummary, 'judged' | 'rate'>,
): AaTestSummary['verdict'] {
  if (rounds[0]?.isSplitWrong) return 'split-wrong'
  if (isBeyondChance(rounds)) return 'exceeded'
  // Metrics of one round are correlated: several alarms in a single round may have one cause.
  const isRepeated = over.filter(({ alarms }) => alarms.length > 0).length > 1
  if (isRepeated && judged >= limits.aaTestEnough && rate !== null && rate.lower > aaTestAlpha)
    return 'exceeded'
  if (judged >= limits.aaTestEnough) return 'kept'
  return rounds.some((round) => round.judged > 0) ? 'too-early' : 'nothing-yet'
}

/** A single alarm can be strong enough to decide without waiting for others. */
function isBeyondChance(rounds: readonly RoundOutcome[]): boolean {
  const looked = rounds.reduce((sum, round) => sum + round.judged, 0)
  return rounds.some(({ alarms }) => alarms.some(({ chance }) => chance * looked < beyondChance))
}
