import type { RolloutFinding } from '@telltale/core/contract/rollout-finding'
import type { Finding } from '@telltale/core/guard/judge-metric'

/** As it was found; JSON keeps no infinity, and says null. */
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
}: Finding): RolloutFinding {
  return {
    metric,
    state,
    missing: missing ?? null,
    units,
    values: values ?? null,
    harm: harm
      ? { lower: finite(harm.lower), estimate: finite(harm.estimate), upper: finite(harm.upper) }
      : null,
    limit,
    margin: finite(margin),
    events: events ?? null,
    rateBelow: rateBelow ?? null,
  }
}

const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null)
