// Searches the slices of a rollout for harm, at every look. A slice is harmed if a metric is past its limit in it, and is
// harmed more there than among all other users. Each bound holds at any time, with an error rate fixed by the most that
// can be searched, so neither the number of looks nor that of slices makes a false alarm more likely.

import { narrowing } from '../narrow-limits.ts'
import { isEnough } from '../statistics/boundary.ts'
import { logShareEvidence } from '../statistics/event-share.ts'
import { betaDefault } from '../statistics/judge.ts'
import type { Share } from '../statistics/risk-ratio.ts'
import { safetyMargin } from '../statistics/safety-margin.ts'
import {
  type ArmName,
  type ClusteredSums,
  ratioOf,
  type StageSums,
  squaredResiduals,
} from '../statistics/sums.ts'
import { type Finding, judgeMetric, type MetricEvidence } from './judge-metric.ts'
import type { JudgedMetric } from './metric-method.ts'
import {
  isSameSlice,
  keyOfSlice,
  levelOfSlices,
  methodInSlices,
  type SearchedSlice,
  type Slice,
  type SliceSearch,
} from './slice.ts'

/** One metric in one slice. */
export interface SliceFinding {
  slice: Slice
  /** Of the users in the split, those in the slice, from 0 to 1; of an excluded slice, when it was excluded. */
  share: number
  metric: string
  inside: Finding
  /** Among all other users; undefined for a probe. */
  outside?: Finding
  /** Past the limit in the slice, surely more than among all others, and not past it there. */
  isHarmed: boolean
  /** Of a probe: users in the slice, of those in the split. */
  present?: Share
  /** Likely enough past the limit that no further users should get it meanwhile; not corrected for the search. */
  isSuspected: boolean
}

export interface SliceFindings {
  /** The slices that are searched from now on. */
  searched: readonly string[]
  /** Of probes and of slices that may be harmed. */
  findings: readonly SliceFinding[]
}

interface Judging {
  /** The slices that were searched before. */
  searched: readonly string[]
  /** Excluded slices: of each, only its probe is in the split. */
  excluded: readonly { slice: Slice; share: number; metric: string }[]
  /** Of each metric, for harm among all other users. */
  alphas: readonly number[]
  /** The probability that a harmless rollout ever excludes a slice. */
  level?: number | undefined
}

/** `metrics`: in the order of the evidence, those that roll back. */
export function judgeSlices(
  metrics: readonly JudgedMetric[],
  { users, slices }: SliceSearch,
  { searched, excluded, alphas, level = narrowing.level }: Judging,
): SliceFindings {
  const each = levelOfSlices(level, { values: narrowing.values, metrics: metrics.length })
  const known = withNew(searched, slices)
  const judged = metrics.map(methodInSlices)
  const findings = slices
    .filter(({ slice }) => known.includes(keyOfSlice(slice)))
    .flatMap((one) => {
      const exclusion = excluded.find(({ slice }) => isSameSlice(slice, one.slice))
      const present = { hits: one.users, total: users }
      const share = exclusion?.share ?? one.users / Math.max(1, users)
      return judged.flatMap((metric, index) => {
        if (exclusion !== undefined)
          return exclusion.metric === metric.metric
            ? judgeProbe(metric, one, { index, share }).map((found) => ({ ...found, present }))
            : []
        return judgeSlice(metric, one, { index, each, share, alpha: alphas[index] ?? each }) ?? []
      })
    })
  return { searched: known, findings }
}

/**
 * The first values of each attribute that had enough users. They are never replaced: choosing others at every look would
 * be further searches.
 */
function withNew(searched: readonly string[], slices: readonly SearchedSlice[]): string[] {
  const all = [...searched]
  const largest = slices.toSorted((one, other) => other.users - one.users)
  for (const { slice } of largest) {
    const ofAttribute = all.filter((key) => key.startsWith(`${slice.attribute}=`)).length
    const key = keyOfSlice(slice)
    if (!all.includes(key) && ofAttribute < narrowing.values) all.push(key)
  }
  return all
}

/** The error rate at which one slice and metric is suspected: it delays a stage, and excludes nothing. */
const suspicion = 0.05

interface SliceStandard {
  /** Of the metric. */
  index: number
  /** The error rate of one slice and metric. */
  each: number
  /** That of the metric, for all others. */
  alpha: number
  share: number
}

function judgeSlice(
  metric: JudgedMetric,
  { slice, ...one }: SearchedSlice,
  { index, each, alpha, share }: SliceStandard,
): SliceFinding | undefined {
  const [here, elsewhere] = [one.inside[index], one.outside[index]]
  // Two bounds are compared, so each gets half of the error rate.
  const half = each / 2
  if (here === undefined || elsewhere === undefined || !mayBeHarmed(metric, here, suspicion)) return undefined
  const inside = judgeMetric(metric, asReturning(here), { alpha: half, nextShare: share })
  const outside = judgeMetric(metric, asReturning(elsewhere), { alpha, nextShare: 1, beta: half })
  const isMore = (inside.harm?.lower ?? 0) > (outside.harm?.upper ?? Number.POSITIVE_INFINITY)
  const isMeasured = outside.state === 'watching' || outside.state === 'healthy'
  const isHarmed = inside.state === 'regressed' && isMeasured && isMore
  const isReady = inside.missing === undefined && inside.evidence !== undefined
  const isSuspected = isReady && isEnough(inside.evidence?.regression ?? 0, suspicion)
  return { slice, share, metric: metric.metric, inside, outside, isHarmed, isSuspected }
}

/**
 * A probe is harmed until the fix is out, so it is healthy if it is from the start of any period on. The starts share the
 * error rate; otherwise the harm is that from the first one.
 */
function judgeProbe(
  metric: JudgedMetric,
  { slice, inside }: SearchedSlice,
  { index, share }: Pick<SliceStandard, 'index' | 'share'>,
): SliceFinding[] {
  const evidence = inside[index]
  if (evidence === undefined) return []
  const judging = { alpha: betaDefault, nextShare: share, beta: betaDefault / narrowing.rounds }
  const starts = Math.min(narrowing.rounds, stagesOf(evidence).length)
  const parts = Array.from({ length: starts }, (_, start) => since(evidence, start))
  const whole = judgeMetric(metric, asReturning(evidence), judging)
  for (const part of whole.state === 'healthy' ? [] : parts.slice(1).toReversed()) {
    if (!mayBeHealthy(metric, part, judging)) continue
    const found = judgeMetric(metric, asReturning(part), judging)
    if (found.state === 'healthy') return [{ slice, share, metric: metric.metric, inside: found, ...ofProbe }]
  }
  return [{ slice, share, metric: metric.metric, inside: whole, ...ofProbe }]
}

const ofProbe = { isHarmed: false, isSuspected: false }

function stagesOf(evidence: MetricEvidence): readonly unknown[] {
  if (evidence.kind === 'events') return evidence.stages
  return evidence.kind === 'ratio' ? evidence.sums.stages : []
}

/** Without the stages before. The units of events stay: no verdict about events rests on them. */
function since(evidence: MetricEvidence, start: number): MetricEvidence {
  if (evidence.kind === 'events') return { ...evidence, stages: evidence.stages.slice(start) }
  if (evidence.kind !== 'ratio') return evidence
  return { ...evidence, sums: { ...evidence.sums, stages: evidence.sums.stages.slice(start) } }
}

/** The same for the evidence of safety. */
function mayBeHealthy(
  { better, limit }: JudgedMetric,
  evidence: MetricEvidence,
  { nextShare, beta }: { nextShare: number; beta: number },
): boolean {
  if (evidence.kind !== 'events' || better === 'higher') return true
  return isEnough(logShareEvidence(evidence.stages, 1 + safetyMargin(limit, nextShare), 'less'), beta)
}

/** Whether bounds are worth computing: those of events take a thousand times as long as their evidence. */
function mayBeHarmed({ better, limit }: JudgedMetric, evidence: MetricEvidence, level: number): boolean {
  if (evidence.kind !== 'events' || better === 'higher') return true
  return isEnough(logShareEvidence(evidence.stages, 1 + limit, 'more'), level)
}

/** Users may have been seen in several stages; which is not read, so all were, and as alike as possible. */
function asReturning(evidence: MetricEvidence): MetricEvidence {
  if (evidence.kind !== 'ratio') return evidence
  const { stages } = evidence.sums
  const shared = { treatment: pairsOf(stages, 'treatment'), control: pairsOf(stages, 'control') }
  return { ...evidence, sums: { stages, shared } }
}

function pairsOf(stages: readonly StageSums[], arm: ArmName): ClusteredSums['shared'][ArmName] {
  const spreads = stages.map(({ [arm]: sums }) => Math.sqrt(squaredResiduals(sums, ratioOf(sums))))
  return spreads.flatMap((spread, earlier) =>
    spreads.slice(earlier + 1).map((other, after) => ({
      earlier,
      later: earlier + 1 + after,
      nn: 0,
      ny: 0,
      yn: 0,
      yy: spread * other,
    })),
  )
}
