import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Comparison, Impact, MetricChoice } from '../../../api/impact.ts'
import type { ImpactSearch } from './impact-search.ts'

export interface Compared {
  readonly impact: Impact
  readonly comparison: Comparison
  readonly control: string
  /** For calls about one of its metrics. */
  readonly choiceOf: (metric: string) => MetricChoice
}

/** The variations to compare according to the URL; undefined where a split has only one variation. */
export function comparedOf(impact: Impact, search: ImpactSearch): Compared | undefined {
  const { compared } = impact
  const comparison =
    compared?.comparisons.find(({ treatment }) => treatment === search.treatment) ?? compared?.comparisons[0]
  if (compared === null || comparison === undefined) return undefined
  const { split, epochs, rollout, control } = compared
  return {
    impact,
    comparison,
    control,
    choiceOf: (metric) => ({
      split,
      // For a rollout it covers all stages, which is the default.
      epoch: rollout === null ? String(epochs.last) : undefined,
      control,
      treatment: comparison.treatment,
      metric,
    }),
  }
}

export function isOfRollout({ impact }: Compared): boolean {
  return impact.compared?.rollout != null
}

export function useImpactSearch() {
  const search = useSearch({ from: '/p/$project/flags/$flag/impact' })
  const navigate = useNavigate({ from: '/p/$project/flags/$flag/impact' })
  const set = (change: ImpactSearch) =>
    void navigate({ search: (now) => ({ ...now, ...change }), resetScroll: false })
  return { search, set }
}
