import { printField } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { useEffect, useRef, useState } from 'react'
import { countText } from '../text/measure-text.ts'
import {
  choicesOf,
  type FilterSuggestion,
  suggestFields,
  suggestValues,
  wantedBy,
} from './filter-suggestions.ts'

/**
 * The most frequent values of a field that contain the typed text, with their counts. For `flag` and `attr`
 * without a key: the keys.
 */
export type LoadValues = (
  field: string,
  search: string,
  signal: AbortSignal,
) => Promise<readonly { value: string; count?: number }[]>

const settledAfter = 150
const valuesShown = 20

export type SuggestionSources = { fields: readonly FieldName[]; loadValues: LoadValues | undefined }

/**
 * Disabled without a field in use (`undefined`). Values load when typing has settled; a failed load suggests
 * none.
 */
export function useFilterSuggestions(
  typed: string | undefined,
  { fields, loadValues }: SuggestionSources,
): FilterSuggestion[] {
  const [values, setValues] = useState<{ of: string; found: FilterSuggestion[] }>()
  const load = useRef(loadValues)
  load.current = loadValues

  useEffect(() => {
    const wanted = wantedBy(typed ?? '')
    if (typed === undefined || wanted.kind !== 'value') return
    const closing = new AbortController()
    const timer = setTimeout(() => {
      load
        .current?.(printField(wanted.field), wanted.typed, closing.signal)
        .then((found) => {
          const noted = found
            .slice(0, valuesShown)
            .map(({ value, count }) => (count === undefined ? { value } : { value, note: countText(count) }))
          if (!closing.signal.aborted) setValues({ of: typed, found: suggestValues(wanted, noted) })
        })
        // The filter can be typed without suggestions.
        .catch(() => setValues(undefined))
    }, settledAfter)
    return () => {
      closing.abort()
      clearTimeout(timer)
    }
  }, [typed])

  if (typed === undefined) return []
  const wanted = wantedBy(typed)
  if (wanted.kind === 'nothing') return []
  if (wanted.kind === 'field') return suggestFields(wanted, fields)
  if (values?.of === typed) return values.found
  return suggestValues(wanted, choicesOf(wanted))
}
