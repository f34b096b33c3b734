// The verdict about one goal of an experiment: better, worse, no worse than the accepted loss, or undecided. It is the
// judgement of the guard asked three times: for harm, for its opposite, and for safety.

import type { ArmName } from '../../statistics/sums.ts'
import { type Finding, judgeMetric, type MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'
import type { MissingPeople } from '../missing-people.ts'

export type GoalVerdict = 'better' | 'no-worse' | 'worse' | 'undecided' | 'collecting' | 'gone'

/** The treatment relative to the control: 0.05 is 5 % more. Ends may be infinite. */
export interface Change {
  lower: number
  estimate: number
  upper: number
}

export interface GoalFinding {
  metric: string
  verdict: GoalVerdict
  /** Why there is no number, or no verdict yet. */
  missing: Finding['missing']
  units: Record<ArmName, number>
  values: Record<ArmName, number> | undefined
  /** Both ends hold at every look with a probability of one minus the level. */
  change: Change | undefined
  /** Users of one arm are missing; the interval is widened by what they could hide. */
  missingPeople: Finding['missingPeople']
  quality: Finding['quality']
  /** With the history of users: the share of them that it saves. */
  saved: Finding['saved']
}

export interface GoalStandard {
  /** The probability that the goal is ever called better or worse without a difference. */
  level: number
  missing?: MissingPeople | undefined
}

/** `goal.limit` is the accepted loss of *no worse*. */
export function judgeGoal(
  goal: JudgedMetric,
  evidence: MetricEvidence,
  { level, missing }: GoalStandard,
): GoalFinding {
  const half = level / 2
  const judge = (metric: JudgedMetric) =>
    judgeMetric(metric, evidence, { alpha: half, beta: half, nextShare: 1, missing })
  const harmed = judge({ ...goal, limit: 0 })
  const improved = judge({ ...goal, limit: 0, better: goal.better === 'lower' ? 'higher' : 'lower' })
  return {
    metric: goal.metric,
    verdict: verdictOf({ harmed, improved, kept: () => judge(goal) }),
    missing: harmed.missing,
    units: harmed.units,
    values: harmed.values,
    change: harmed.harm && changeOf(harmed.harm, goal.better),
    missingPeople: harmed.missingPeople,
    quality: harmed.quality,
    saved: harmed.saved,
  }
}

interface Asked {
  harmed: Finding
  improved: Finding
  kept: () => Finding
}

function verdictOf({ harmed, improved, kept }: Asked): GoalVerdict {
  if (harmed.state === 'gone' || harmed.state === 'collecting') return harmed.state
  if (harmed.state === 'regressed') return 'worse'
  if (improved.state === 'regressed') return 'better'
  return kept().state === 'healthy' ? 'no-worse' : 'undecided'
}

/** The displayed harm of a metric that should be high is its decrease. */
function changeOf({ lower, estimate, upper }: Change, better: JudgedMetric['better']): Change {
  if (better === 'lower') return { lower, estimate, upper }
  return { lower: 0 - upper, estimate: 0 - estimate, upper: 0 - lower }
}
