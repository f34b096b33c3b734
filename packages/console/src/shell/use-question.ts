import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Chip, emptyFilter, type Filter, parseFilter, printFilter } from '@telltale/core/query/filter'
import { fieldDefinition, isFieldName } from '@telltale/core/query/filter-fields'
import { useMemo } from 'react'
import { loadFacetValues } from '../api/facets.ts'
import { findFlagKeys } from '../api/flags.ts'
import type { Question } from '../api/question.ts'
import type { LoadValues } from '../ui/filter/use-filter-suggestions.ts'
import { useScope } from './scope-context.ts'
import { boundsOf, isMoving, lengthOfRange, type TimeRange } from './time-range.ts'

const hour = 3_600_000
const day = 24 * hour

export interface SearchQuestion {
  /** For the calls. Contains the filter as the server parses it, even if it cannot be parsed here. */
  readonly question: Question
  readonly filter: Filter
  /** Why the filter in the URL is invalid. */
  readonly fault: string | undefined
  /** With a history entry. */
  readonly setFilter: (filter: Filter) => void
  /** Adds a chip, replacing one of the same field. */
  readonly narrow: (chip: Chip) => void
}

type QuestionSearch = { q?: string | undefined; exact?: boolean | undefined }

/**
 * The scope of a monitoring screen: environment and time range of the project, and the filter as `q` in the
 * URL. Its route must name `q` in its `validateSearch`, and `exact` if its calls
 * can read a sample.
 */
export function useQuestion(): SearchQuestion {
  const { project, environment, range } = useScope()
  const { q = '', exact: isExact = false }: QuestionSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const env = environment.key

  return useMemo(() => {
    const parsed = parseFilter(q)
    const filter = parsed.ok ? parsed.result : emptyFilter
    const setFilter = (next: Filter) =>
      void navigate({ to: '.', search: (now) => ({ ...now, q: printFilter(next) || undefined }), hash: true })
    return {
      question: { ...questionOf({ project, env, range }, parsed.ok ? printFilter(filter) : q), isExact },
      filter,
      fault: parsed.ok ? undefined : parsed.faults[0]?.message,
      setFilter,
      narrow: (chip) => setFilter(withChip(filter, chip)),
    }
  }, [project, env, range, q, isExact, navigate])
}

type EnvironmentRange = { project: string; env: string; range: TimeRange }

export function questionOf({ project, env, range }: EnvironmentRange, filter: string): Question {
  return { project, env, range, filter, bounds: () => boundsAtTick(range), again: againAfter(range) }
}

/** Panels that load at nearly the same moment use the same period. */
const boundsTick = 5_000

function boundsAtTick(range: TimeRange): { from: number; to: number } {
  return boundsOf(range, Math.ceil(Date.now() / boundsTick) * boundsTick)
}

/** Short ranges advance quickly; in a long one, a minute is invisible. */
function againAfter(range: TimeRange): number | false {
  if (!isMoving(range)) return false
  if (lengthOfRange(range) <= hour) return 10_000
  return lengthOfRange(range) <= day ? 30_000 : 120_000
}

function withChip(filter: Filter, chip: Chip): Filter {
  const others = filter.chips.filter(
    ({ field, key, isNegated }) => field !== chip.field || key !== chip.key || isNegated !== chip.isNegated,
  )
  return { ...filter, chips: [...others, chip] }
}

/** Suggestions of the filter bar: values by number of events, keys of existing flags. */
export function useFilterValues(question: Question, kind?: 'log'): LoadValues {
  return async (name, search, signal) => {
    if (name === 'flag') {
      const keys = await findFlagKeys(question.project, search, signal)
      return keys.map((value) => ({ value }))
    }
    const hasFacet = name !== 'attr' && !(isFieldName(name) && fieldDefinition(name).ofSession)
    return hasFacet ? loadFacetValues(question, { field: name, kind, search, signal }) : []
  }
}
