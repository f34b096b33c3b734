// The verdict of a split without a guard, by the statistics of the guard: nothing is decided, regressions are latched
// until the split changes.
import type { StageEvents } from '../../statistics/event-share.ts'
import type { ArmName } from '../../statistics/sums.ts'
import { judgeAll } from '../judge-all.ts'
import type { Finding, MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'
import { findMissingPeople } from '../missing-people.ts'
import type { SplitFault } from '../rollout.ts'
import { splitFaultOf } from '../split-fault.ts'
import { excessShare } from './excess-users.ts'

export interface ArmPair {
  treatment: string
  control: string
}

/** Two arms of a split after a look. */
export interface PairVerdict extends ArmPair {
  units: Record<ArmName, number>
  findings: readonly Finding[]
  /** Latched: regressed metrics. */
  regressed: readonly string[]
  /** Latched. */
  splitWrong: SplitFault | null
  /** The regressed metric that affects the most users of the treatment, and the excess share of them. */
  excess: { metric: string; share: number } | null
}

export interface PairEvidence {
  units: Record<ArmName, number>
  exposures: readonly StageEvents[]
  heard: readonly StageEvents[]
  /** In the order of the metrics. */
  metrics: readonly MetricEvidence[]
}

interface Arms {
  arms: readonly { variation: string; weight: number }[]
  /** What users get while the flag is off. */
  off: string
}

/**
 * Every other arm against the one that users get while the flag is off. If no user of the split gets that, no arm is
 * known to be the usual one: then every other arm and the largest are compared in both directions.
 */
export function pairsOf({ arms, off }: Arms): ArmPair[] {
  const present = arms.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
  const usual = present.find(({ variation }) => variation === off)
  const control = (usual ?? present[0])?.variation
  if (control === undefined) return []
  const others = present.map(({ variation }) => variation).filter((variation) => variation !== control)
  return others.flatMap((treatment) => [
    { treatment, control },
    ...(usual === undefined ? [{ treatment: control, control: treatment }] : []),
  ])
}

/** `alpha` is the share of this pair. */
export function judgePair(
  pair: ArmPair,
  { metrics, evidence, alpha }: { metrics: readonly JudgedMetric[]; evidence: PairEvidence; alpha: number },
  before: PairVerdict | undefined,
): PairVerdict {
  const { units, exposures, heard } = evidence
  const missing = findMissingPeople({ exposures, heard })
  const findings = judgeAll(metrics, evidence.metrics, { alpha, nextShare: 1, missing })
  const regressed = [
    ...new Set([
      ...(before?.regressed ?? []),
      ...findings.filter(({ state }) => state === 'regressed').map(({ metric }) => metric),
    ]),
  ]
  return {
    ...pair,
    units,
    findings,
    regressed,
    splitWrong: before?.splitWrong ?? splitFaultOf(evidence) ?? null,
    excess: largestExcess(metrics, { evidence, findings, regressed }) ?? before?.excess ?? null,
  }
}

function largestExcess(
  metrics: readonly JudgedMetric[],
  {
    evidence,
    findings,
    regressed,
  }: { evidence: PairEvidence; findings: readonly Finding[]; regressed: readonly string[] },
): { metric: string; share: number } | undefined {
  const known = metrics.flatMap((metric, index) => {
    const [finding, found] = [findings[index], evidence.metrics[index]]
    if (finding === undefined || found === undefined || !regressed.includes(metric.metric)) return []
    const share = excessShare(metric, finding, found)
    return share === undefined ? [] : [{ metric: metric.metric, share }]
  })
  return known.toSorted((a, b) => b.share - a.share)[0]
}
