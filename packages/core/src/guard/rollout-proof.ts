// What a rollout has to prove: the contributors that explained a rollback, frozen as they were measured. Each is required
// beside the metrics of the plan: no stage ends before enough of its harm is gone.

import type { Share } from '../statistics/risk-ratio.ts'
import type { ArmName } from '../statistics/sums.ts'
import {
  type AffectedUnits,
  affectedExcess,
  allowedBefore,
  fixedShare,
  fixLevel,
  judgeFix,
  type SeenFix,
} from './judge-fix.ts'
import type { Finding } from './judge-metric.ts'
import type { RolloutPlan } from './rollout.ts'

interface Named {
  issue: { group: string; type: string; message: string; culprit: string } | null
  request: { method: string; host: string; endpoint: string } | null
}

/** The explanation of a metric's regression. */
interface Explained {
  metric: string
  explanations: readonly (Named & {
    kind: string
    values: Readonly<Record<ArmName, number>>
    measuredIn: string
  })[]
}

export interface FrozenHarm extends Named {
  kind: 'issue' | 'failing-request'
  /** The metric that regressed. */
  metric: string
  /** In the rollout that was rolled back. */
  before: AffectedUnits
}

export interface RolloutProof {
  /** The rollout that was rolled back. */
  of: string
  harms: readonly FrozenHarm[]
  /** Contributors that cannot be measured as affected users, or whose harm was not surely above zero. */
  leftOut: number
}

/** Each needs its part of the error rate, and users of its own; more would rarely be decided. */
const mostHarms = 5

/** Throws nothing: without a provable contributor, `harms` is empty. */
export function freezeHarms(
  of: string,
  evidence: readonly Explained[],
  units: Readonly<Record<ArmName, number>>,
): RolloutProof {
  const explained = evidence.flatMap(({ metric, explanations }) =>
    explanations.map((one) => ({ metric, one, name: JSON.stringify([one.issue?.group, one.request]) })),
  )
  // Two metrics often have the same contributor.
  const different = explained.filter(
    ({ name, one }, index) =>
      one.measuredIn !== 'units' || explained.findIndex((other) => other.name === name) === index,
  )
  const measured = different.flatMap(({ metric, one }): FrozenHarm[] => {
    const { kind, issue, request, values, measuredIn } = one
    if ((kind !== 'issue' && kind !== 'failing-request') || measuredIn !== 'units') return []
    const share = (arm: ArmName): Share => ({
      hits: Math.round(values[arm] * units[arm]),
      total: Math.max(units[arm], Math.round(values[arm] * units[arm])),
    })
    return [
      { kind, issue, request, metric, before: { treatment: share('treatment'), control: share('control') } },
    ]
  })
  const harms = measured
    .filter(({ before }) => affectedExcess(before, fixLevel / mostHarms / 2).lower > 0)
    .slice(0, mostHarms)
  return { of, harms, leftOut: different.length - harms.length }
}

/** Not a key that a metric can have. */
const prefix = 'proof:'
const keyOf = (index: number) => `${prefix}${index}`

/** Findings about a proof take part in a look, and are stored on their own. */
export const isOfProof = ({ metric }: { metric: string }) => metric.startsWith(prefix)

/** Its harms as required metrics. A harm that is still there stops the stages; the metrics of the plan roll back. */
export const requiredBy = (proof: Pick<RolloutProof, 'harms'> | null): RolloutPlan['metrics'] =>
  (proof?.harms ?? []).map((_, index) => ({
    metric: keyOf(index),
    role: 'required',
    onRegression: 'notify',
  }))

/** `nextShare`: of all units, who get the treatment in the next stage. */
export function judgeProof(
  { harms }: Pick<RolloutProof, 'harms'>,
  counts: readonly AffectedUnits[],
  nextShare: number,
): { fixes: SeenFix[]; findings: Finding[] } {
  const allowed = allowedBefore(nextShare)
  const fixes = harms.map(({ before }, index): SeenFix => {
    const now = counts[index] ?? nothing
    return { ...judgeFix({ before, now }, { contributors: harms.length }), now }
  })
  return {
    fixes,
    findings: fixes.map(
      ({ gone, now }, index): Finding => ({
        metric: keyOf(index),
        state: gone !== null && gone.lower >= 1 - allowed ? 'healthy' : 'watching',
        units: { treatment: now.treatment.total, control: now.control.total },
        limit: 1 - fixedShare,
        margin: allowed,
      }),
    ),
  }
}

const none: Share = { hits: 0, total: 0 }
const nothing: AffectedUnits = { treatment: none, control: none }
