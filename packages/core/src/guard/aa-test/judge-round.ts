// One round of the A/A test, judged by the guard's method. The two halves of the site do not differ, so every interval
// must contain zero at every look; an interval that excludes it, on either side, is a false alarm.
import { logSplitEvidence, type StageEvents } from '../../statistics/event-share.ts'
import { chanceOfAsMuch } from '../../statistics/several-metrics.ts'
import type { ArmName } from '../../statistics/sums.ts'
import { judgeMetric, type MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'

/** The probability that the interval of a metric ever excludes zero, for both bounds together. */
export const aaTestAlpha = 0.05

/** How much worse one half is than the other. Infinite bounds are omitted. */
interface AaTestDifference {
  lower: number | null
  estimate: number | null
  upper: number | null
}

interface AaTestFinding {
  metric: string
  /** `holds`: the interval contains zero. `left`: it does not. */
  state: 'collecting' | 'holds' | 'left' | 'gone'
  missing: string | null
  units: Record<ArmName, number>
  values: Record<ArmName, number> | null
  difference: AaTestDifference | null
  /** The probability of ever observing as much without a difference; null without a verdict. */
  chance: number | null
}

export interface AaTestAlarm {
  metric: string
  at: string
  chance: number
  difference: AaTestDifference | null
}

/** The result of the latest look. */
export interface AaTestSeen {
  at: string
  units: Record<ArmName, number>
  /** Units seen in both halves. */
  crossed: number
  /** The share of one half among all assigned units, and the probability of ever observing it in a sound round. */
  check: { seen: number | null; p: number }
  /** The same among assigned units that sent any other event. */
  heard: { seen: number | null; p: number }
  findings: AaTestFinding[]
}

export interface RoundEvidence {
  units: Record<ArmName, number>
  crossed: number
  exposures: readonly StageEvents[]
  heard: readonly StageEvents[]
  /** In the order of the metrics. */
  metrics: readonly MetricEvidence[]
}

export function judgeRound(
  metrics: readonly JudgedMetric[],
  evidence: RoundEvidence,
  at: string,
): AaTestSeen {
  return {
    at,
    units: evidence.units,
    crossed: evidence.crossed,
    check: checkOf(evidence.exposures),
    heard: checkOf(evidence.heard),
    findings: metrics.map((metric, index) => judgeAgainstNothing(metric, evidence.metrics[index])),
  }
}

/** Existing alarms are kept, with the smaller probability of the two looks. */
export function alarmsAfter(before: readonly AaTestAlarm[], { at, findings }: AaTestSeen): AaTestAlarm[] {
  const left = findings.filter(({ state }) => state === 'left')
  const known = before.map((alarm) => {
    const now = left.find(({ metric }) => metric === alarm.metric)
    return { ...alarm, chance: Math.min(alarm.chance, now?.chance ?? 1) }
  })
  const fresh = left.filter(({ metric }) => !before.some((alarm) => alarm.metric === metric))
  return [
    ...known,
    ...fresh.map(({ metric, chance, difference }) => ({ metric, at, chance: chance ?? 1, difference })),
  ]
}

/** Against zero in both directions: "regressed" and "safe" are the two ways to exclude it. */
function judgeAgainstNothing(
  metric: JudgedMetric,
  evidence: MetricEvidence = { kind: 'gone' },
): AaTestFinding {
  const level = aaTestAlpha / 2
  const {
    state,
    missing,
    units,
    values,
    harm,
    evidence: found,
  } = judgeMetric({ ...metric, limit: 0 }, evidence, { alpha: level, beta: level, nextShare: 1 })
  const isMeasured = state !== 'collecting' && state !== 'gone'
  const most = found === undefined ? undefined : Math.max(found.regression, found.safety)
  return {
    metric: metric.metric,
    state: state === 'watching' ? 'holds' : isMeasured ? 'left' : state,
    missing: missing ?? null,
    units,
    values: values ?? null,
    difference: harm
      ? { lower: finite(harm.lower), estimate: finite(harm.estimate), upper: finite(harm.upper) }
      : null,
    // Two-sided.
    chance: isMeasured && most !== undefined ? Math.min(1, 2 * chanceOfAsMuch(most)) : null,
  }
}

function checkOf(stages: readonly StageEvents[]): AaTestSeen['check'] {
  const treatment = stages.reduce((sum, stage) => sum + stage.treatment, 0)
  const all = stages.reduce((sum, stage) => sum + stage.treatment + stage.control, 0)
  return {
    seen: all > 0 ? treatment / all : null,
    p: Math.min(1, Math.exp(-logSplitEvidence(stages))),
  }
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)
