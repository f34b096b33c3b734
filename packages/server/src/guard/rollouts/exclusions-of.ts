// What a rollout excludes, as the rules that are served and as the API shows it.

import type { Rollout as ShownRollout } from '@telltale/core/contract/rollouts'
import type { ExclusionRule } from '@telltale/core/evaluation/exclusion-rules'
import { type Exclusion, notNarrowed } from '@telltale/core/guard/narrowing'
import type { Rollout } from '@telltale/core/guard/rollout'
import { limits } from '@telltale/core/limits'
import { narrowing as narrowLimits } from '@telltale/core/narrow-limits'
import { toInterval } from './to-finding.ts'

/** Null if nothing is excluded. */
export function rulesOf({ narrowing }: Pick<Rollout, 'narrowing'>, by: string): ExclusionRule[] | null {
  const excluded = narrowing?.excluded ?? []
  if (excluded.length === 0) return null
  return excluded.map(({ id, slice }) => ({ id, ...slice, probe: narrowLimits.probe, by }))
}

/** Null of a rollout that does not narrow. */
export function showNarrowing(
  { narrowing = notNarrowed }: Pick<Rollout, 'narrowing'>,
  policy: string | undefined,
): ShownRollout['narrowing'] {
  if (policy !== 'narrow') return null
  const { excluded, times, searched, searchedAt, suspected } = narrowing
  return {
    excluded: excluded.map(showExclusion),
    times,
    timesAtMost: narrowLimits.times,
    probeShare: narrowLimits.probe / limits.weightTotal,
    searched: searched.length,
    searchedAt: searchedAt === undefined ? null : new Date(searchedAt).toISOString(),
    suspected: suspected ?? null,
  }
}

function showExclusion({ id, slice, metric, harm, elsewhere, share, since, until, probe }: Exclusion) {
  return {
    ...{ id, slice, metric, share },
    harm: toInterval(harm),
    elsewhere: toInterval(elsewhere),
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    probe:
      probe === undefined
        ? null
        : { state: probe.state, harm: toInterval(probe.harm ?? unknown), units: probe.units },
  }
}

const unbounded = Number.POSITIVE_INFINITY
const unknown = { lower: -unbounded, estimate: unbounded, upper: unbounded }
