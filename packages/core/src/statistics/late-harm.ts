// Harm that begins late: evidence about events begins at the start of the rollout, and anew with every day, each beginning with
// a part of the chance of a false alarm. The parts add up to one, and each beginning keeps to its own at every look (Ville), so
// all together do. Each unit counts with the first event it ever had: what was seen of it before tells nothing about it.
import { logShareEvidence, type StageEvents } from './event-share.ts'

/** The first events of one day; days are numbered, and those without any may be missing. */
export interface DayEvents {
  day: number
  stages: readonly StageEvents[]
}

export interface Beginning {
  /** Nothing: the start of the rollout. */
  day: number | undefined
  /** Its share of the false-alarm rate. */
  part: number
  stages: readonly StageEvents[]
}

/** Half for the start; the rest thins out with the days, and adds up to the other half however many there are. */
export const partOfStart = 1 / 2
const ofDay = (index: number) => (1 - partOfStart) / (index * (index + 1))

/** Where evidence may begin: the start first. Where no days are known it begins once, and has the whole chance. */
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

/** The beginning with the most evidence for harm beyond `ratio`, where each is weighed by its part. */
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
