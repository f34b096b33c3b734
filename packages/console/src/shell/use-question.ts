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

export interface AskedQuestion {
  /** For the calls. Its filter is what the server has to read, also when it cannot be read here. */
  readonly question: Question
  readonly filter: Filter
  /** Why the filter of the address cannot be read. */
  readonly fault: string | undefined
  /** A step that Back undoes. */
  readonly setFilter: (filter: Filter) => void
  /** Adds a chip, in place of one of the same field. */
  readonly narrow: (chip: Chip) => void
}

/**
 * The scope of a monitoring screen: environment and time range of the project, and the filter as `q` in the address. Its
 * route has to name `q` in its `validateSearch`.
 */
export function useQuestion(): AskedQuestion {
  const { project, environment, range } = useScope()
  const { q = '' }: { q?: string | undefined } = useSearch({ strict: false })
  const navigate = useNavigate()
  const env = environment.key

  return useMemo(() => {
    const parsed = parseFilter(q)
    const filter = parsed.ok ? parsed.result : emptyFilter
    const setFilter = (next: Filter) =>
      void navigate({ to: '.', search: (now) => ({ ...now, q: printFilter(next) || undefined }), hash: true })
    return {
      question: questionOf({ project, env, range }, parsed.ok ? printFilter(filter) : q),
      filter,
      fault: parsed.ok ? undefined : parsed.faults[0]?.message,
      setFilter,
      narrow: (chip) => setFilter(withChip(filter, chip)),
    }
  }, [project, env, range, q, navigate])
}

type Place = { project: string; env: string; range: TimeRange }

export function questionOf({ project, env, range }: Place, filter: string): Question {
  return { project, env, range, filter, bounds: () => boundsAtTick(range), again: againAfter(range) }
}

/** Panels that ask at nearly the same moment ask about the same time. */
const boundsTick = 5_000

function boundsAtTick(range: TimeRange): { from: number; to: number } {
  return boundsOf(range, Math.ceil(Date.now() / boundsTick) * boundsTick)
}

/** Short ranges move fast; of a long one, nobody sees a minute. */
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

/** What the filter bar offers: values by how many events have them, keys of flags by the flags that there are. */
export function useFilterValues(question: Question): LoadValues {
  return async (name, search, signal) => {
    if (name === 'flag') {
      const keys = await findFlagKeys(question.project, search, signal)
      return keys.map((value) => ({ value }))
    }
    const hasFacet = name !== 'attr' && !(isFieldName(name) && fieldDefinition(name).ofSession)
    return hasFacet ? loadFacetValues(question, { field: name, search, signal }) : []
  }
}
