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

/** The pair of arms that the address is about; undefined where a split has one arm only. */
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
      // Of a rollout it is all its stages, which is what nobody asking for one gets.
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
