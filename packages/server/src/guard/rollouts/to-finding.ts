import type { ComparisonQuality, MetricQuality } from '@telltale/core/contract/comparison-quality'
import type { RolloutFinding } from '@telltale/core/contract/rollout-finding'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { ComparisonQuality as Quality } from '@telltale/core/guard/quality'

/** Restores stored findings: JSON has no infinity and stores null. */
export function toFinding({
  metric,
  state,
  missing,
  units,
  values,
  harm,
  limit,
  margin,
  events,
  rateBelow,
  since,
  missingPeople,
  quality,
  saved,
}: Finding): RolloutFinding {
  return {
    metric,
    state,
    missing: missing ?? null,
    units,
    values: values ?? null,
    harm: harm ? toInterval(harm) : null,
    limit,
    margin: finite(margin),
    events: events ?? null,
    rateBelow: rateBelow ?? null,
    since: since === undefined ? null : new Date(since).toISOString(),
    missingPeople: missingPeople ?? null,
    quality: toMetricQuality(quality),
    saved: saved ?? null,
  }
}

export function toMetricQuality(quality: Finding['quality']): MetricQuality | null {
  if (quality === undefined) return null
  const { denominator, ...known } = quality
  return {
    ...known,
    denominator:
      denominator === undefined
        ? null
        : { differs: denominator.differs, change: toInterval(denominator.change) },
  }
}

export const toComparisonQuality = ({ crossed, reexposed, heard }: Quality): ComparisonQuality => ({
  crossed,
  reexposed: reexposed ?? null,
  heard: heard ?? null,
})

/** An infinite end becomes null. */
export const toInterval = ({
  lower,
  estimate,
  upper,
}: {
  lower: number
  estimate: number
  upper: number
}) => ({
  lower: finite(lower),
  estimate: finite(estimate),
  upper: finite(upper),
})

const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null)
