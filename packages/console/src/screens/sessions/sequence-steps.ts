// The steps of a sequence in the builder: a kind of event, and further conditions as text.

import { limits } from '@telltale/core/limits'
import { type Chip, type Filter, type Parsed, parseFilter, printFilter } from '@telltale/core/query/filter'

export interface Step {
  /** From the list of kinds; empty for any. */
  readonly kind: string
  readonly text: string
}

export const kindChoices = [
  { value: 'view', label: 'Opened a page', example: 'page:/cart' },
  { value: 'action', label: 'Clicked or typed', example: 'name:"Pay now"' },
  { value: 'error', label: 'Error', example: 'error:~card' },
  { value: 'resource', label: 'Made a request', example: 'endpoint:/api/pay failed:true' },
  { value: 'vital', label: 'Measured a vital', example: 'lcp:>2500' },
  { value: 'custom', label: 'Custom event', example: 'name:bought' },
  { value: 'exposure', label: 'Evaluated a flag', example: 'flag:checkout=new' },
  { value: '', label: 'Any event', example: 'page:/cart' },
] as const

export const stepsAtMost = limits.sequenceSteps

const isKind = ({ field, isNegated, operator, values }: Chip) =>
  field === 'kind' &&
  !isNegated &&
  operator === 'is' &&
  values.length === 1 &&
  kindChoices.some(({ value }) => value === values[0])

export function toSteps(filters: readonly Filter[]): Step[] {
  if (filters.length === 0) {
    return [
      { kind: 'view', text: '' },
      { kind: 'error', text: '' },
    ]
  }
  return filters.map((filter) => {
    const kind = filter.chips.find(isKind)
    const chips = filter.chips.filter((chip) => chip !== kind)
    return { kind: kind?.values[0] ?? '', text: printFilter({ ...filter, chips }) }
  })
}

/** One step as a filter, or what is wrong with it. */
export function readStep({ kind, text }: Step): Parsed<Filter> {
  const parsed = parseFilter(text)
  if (!parsed.ok) return parsed
  const chips: Chip[] =
    kind === '' ? [] : [{ field: 'kind', key: '', isNegated: false, operator: 'is', values: [kind] }]
  const filter: Filter = { ...parsed.result, chips: [...chips, ...parsed.result.chips] }
  if (filter.chips.length + filter.words.length > 0) return { ok: true, result: filter }
  return { ok: false, faults: [{ message: 'choose an event', at: 0 }] }
}
