// The harm of a regression in users: the share of the treatment's users that would not be affected in the control.
import type { Finding, MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'

/**
 * From 0 to 1. For a share of users: the difference of the shares. For a percentile: the share of values beyond the
 * percentile of the control, minus the same share in the control. For a count: the additional events per session, at
 * most one. For a mean or a total: its relative change, at most 1. Undefined without numbers.
 */
export function excessShare(
  { method, better }: JudgedMetric,
  { values, harm }: Pick<Finding, 'values' | 'harm'>,
  evidence: MetricEvidence,
): number | undefined {
  const sign = better === 'lower' ? 1 : -1
  if (method.kind === 'quantile') return shareBeyondControl(evidence, sign)
  if (values === undefined) return undefined
  if (method.kind === 'mean' || method.kind === 'total') return atMostAll(harm?.estimate ?? 0)
  return atMostAll(sign * (values.treatment - values.control))
}

function shareBeyondControl(evidence: MetricEvidence, sign: 1 | -1): number | undefined {
  if (evidence.kind !== 'quantile' || evidence.quantiles === undefined) return undefined
  const { distribution, bucket } = evidence.quantiles
  const beyond = (shares: readonly number[]) =>
    shares.slice(bucket.control + 1).reduce((sum, share) => sum + share, 0)
  return atMostAll(sign * (beyond(distribution.treatment) - beyond(distribution.control)))
}

const atMostAll = (share: number) => Math.min(1, Math.max(0, share))
