// Harm that begins late: evidence from events starts with the rollout and restarts every day, each start with a share
// of alpha. The shares sum to one and each start keeps its own level at every look (Ville), so all together keep alpha.
// Each unit counts with the first event it ever had, which does not depend on anything seen of it before.
import { logShareEvidence, type StageEvents } from './event-share.ts'

/** The first events of one day. Days are numbered; days without events may be missing. */
export interface DayEvents {
  day: number
  stages: readonly StageEvents[]
}

export interface Beginning {
  /** Undefined: the start of the rollout. */
  day: number | undefined
  /** Its share of the false-alarm rate. */
  part: number
  stages: readonly StageEvents[]
}

/**
 * Half of alpha for the start of the rollout. The shares of the days decrease and sum to the other half, however
 * many there are.
 */
export const partOfStart = 1 / 2
const ofDay = (index: number) => (1 - partOfStart) / (index * (index + 1))

/** The starts of evidence: the rollout's first. Without days there is only that one, with all of alpha. */
export function beginningsOf(
  stages: readonly StageEvents[],
  days: readonly DayEvents[] | undefined,
): Beginning[] {
  if (days === undefined) return [{ day: undefined, part: 1, stages }]
  const sorted = days.toSorted((one, other) => one.day - other.day)
  const first = sorted[0]?.day ?? 0
  const since: Beginning[] = []
  let sum: StageEvents[] = stages.map(({ share }) => ({ treatment: 0, control: 0, share }))
  for (const { day, stages: own } of sorted.toReversed()) {
    if (day === first) break
    sum = sum.map((stage, index) => ({
      ...stage,
      treatment: stage.treatment + (own[index]?.treatment ?? 0),
      control: stage.control + (own[index]?.control ?? 0),
    }))
    since.push({ day, part: ofDay(day - first), stages: sum })
  }
  return [{ day: undefined, part: partOfStart, stages }, ...since.toReversed()]
}

/** The start with the most evidence of harm beyond `ratio`, weighted by its share. */
export function strongestBeginning(
  beginnings: readonly Beginning[],
  ratio: number,
): { beginning: Beginning | undefined; evidence: number } {
  let strongest: { beginning: Beginning | undefined; evidence: number } = {
    beginning: undefined,
    evidence: Number.NEGATIVE_INFINITY,
  }
  for (const beginning of beginnings) {
    const evidence = Math.log(beginning.part) + logShareEvidence(beginning.stages, ratio, 'more')
    if (evidence > strongest.evidence) strongest = { beginning, evidence }
  }
  return strongest
}
