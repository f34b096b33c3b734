// What all draws of the canary say together: how often the guard's statistics erred on this site, against how often they may.
import { limits } from '../../limits.ts'
import { wilsonInterval } from '../../statistics/wilson.ts'
import { canaryAlpha } from './judge-draw.ts'

export interface DrawOutcome {
  /** Metrics with enough users for a verdict. */
  judged: number
  /** Of each that ever left its bounds, the least chance of it. */
  alarms: readonly { metric: string; chance: number }[]
  isSplitWrong: boolean
  isOver: boolean
}

interface CanarySummary {
  /**
   * `kept`: nothing says that there are more alarms than promised, which few draws cannot rule out. `exceeded`: more than chance
   * explains. `split-wrong`: the halves of the present draw are none, so that no number of it can be trusted.
   */
  verdict: 'nothing-yet' | 'too-early' | 'kept' | 'exceeded' | 'split-wrong'
  /** Metrics of draws that are over. */
  judged: number
  alarmed: number
  draws: number
  rate: { lower: number; share: number; upper: number } | null
}

/** So unlikely that it is no chance, however many metrics were looked at. */
const beyondChance = 0.001

/** The newest first. */
export function sumUpDraws(draws: readonly DrawOutcome[]): CanarySummary {
  const over = draws.filter(({ isOver, judged }) => isOver && judged > 0)
  const judged = over.reduce((sum, draw) => sum + draw.judged, 0)
  const alarmed = over.reduce((sum, { alarms }) => sum + alarms.length, 0)
  const rate = wilsonInterval(alarmed, judged) ?? null
  const verdict = verdictOf(draws, over, { judged, rate })
  return { verdict, judged, alarmed, draws: over.length, rate }
}

function verdictOf(
  draws: readonly DrawOutcome[],
  over: readonly DrawOutcome[],
  { judged, rate }: Pick<CanarySummary, 'judged' | 'rate'>,
): CanarySummary['verdict'] {
  if (draws[0]?.isSplitWrong) return 'split-wrong'
  if (isBeyondChance(draws)) return 'exceeded'
  // Metrics of one draw move together: the alarms of a single one may be one alarm.
  const isRepeated = over.filter(({ alarms }) => alarms.length > 0).length > 1
  if (isRepeated && judged >= limits.canaryEnough && rate !== null && rate.lower > canaryAlpha)
    return 'exceeded'
  if (judged >= limits.canaryEnough) return 'kept'
  return draws.some((draw) => draw.judged > 0) ? 'too-early' : 'nothing-yet'
}

/** One alarm can be so large that nobody has to wait for others. */
function isBeyondChance(draws: readonly DrawOutcome[]): boolean {
  const looked = draws.reduce((sum, draw) => sum + draw.judged, 0)
  return draws.some(({ alarms }) => alarms.some(({ chance }) => chance * looked < beyondChance))
}
