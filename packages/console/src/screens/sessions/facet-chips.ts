// Converts between selected facet values and filter chips. Chips that no facet can express stay.

import type { Chip, FieldRef, Filter } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { type Rating, vitalBoundaries } from '@telltale/core/telemetry/vitals'

export const sessionFacets = [
  'flag',
  'inp',
  'lcp',
  'cls',
  'frustration',
  'errors',
  'failed-requests',
  'replay',
  'kept',
  'profile',
  'device',
  'browser',
  'country',
  'version',
  'entry-page',
] as const satisfies readonly FieldName[]
export type SessionFacetName = (typeof sessionFacets)[number]

const vitals = { inp: 'INP', lcp: 'LCP', cls: 'CLS' } as const
const counts: readonly string[] = ['errors', 'failed-requests']
const answers: readonly string[] = ['replay', 'kept', 'profile']
const ratings: readonly Rating[] = ['good', 'needs-improvement', 'poor']

/** Fixed values; undefined if they are taken from the sessions. */
export function knownValues(facet: SessionFacetName): readonly string[] | undefined {
  if (facet in vitals) return ratings
  if (counts.includes(facet)) return ['none', 'some']
  if (answers.includes(facet)) return ['true', 'false']
  return facet === 'frustration' ? ['rage', 'dead', 'error'] : undefined
}

/** The selected values, as facets name them. */
export function tickedOf({ chips }: Filter, facet: SessionFacetName): string[] {
  const own = chips.filter((chip) => chip.field === facet && !chip.isNegated)
  if (facet === 'flag') return own.flatMap(({ key, values }) => values.map((value) => `${key}=${value}`))
  if (isVitalFacet(facet)) return tickedRatings(own, facet)
  if (counts.includes(facet)) return own.map(countOfChip).filter((one) => one !== undefined)
  return own.filter(({ operator }) => operator === 'is').flatMap(({ values }) => [...values])
}

/** The filter with a value selected or deselected. Several values of one field match any of them. */
export function tick(filter: Filter, facet: SessionFacetName, value: string): Filter {
  const ticked = tickedOf(filter, facet)
  const next = ticked.includes(value) ? ticked.filter((one) => one !== value) : [...ticked, value]
  const others = filter.chips.filter((chip) => !isTickChip(chip, facet))
  return { ...filter, chips: [...others, ...chipsOf(facet, next, value)] }
}

function chipsOf(facet: SessionFacetName, values: readonly string[], last: string): Chip[] {
  if (values.length === 0) return []
  if (isVitalFacet(facet)) return chipsOfRatings(facet, values, last)
  // With and without errors: both together are no filter.
  if (counts.includes(facet)) {
    return values.length > 1 ? [] : [chip(facet, values[0] === 'none' ? 'is' : '>', ['0'])]
  }
  // Yes and no together are no filter either.
  if (answers.includes(facet) && values.length > 1) return []
  if (facet !== 'flag') return [chip(facet, 'is', values)]
  const byFlag = new Map<string, string[]>()
  for (const value of values) {
    const sign = value.indexOf('=')
    const flag = value.slice(0, sign)
    byFlag.set(flag, [...(byFlag.get(flag) ?? []), value.slice(sign + 1)])
  }
  return [...byFlag].map(([flag, variations]) => ({ ...chip('flag', 'is', variations), key: flag }))
}

function isVitalFacet(facet: SessionFacetName): facet is keyof typeof vitals {
  return Object.hasOwn(vitals, facet)
}

const chip = (field: FieldRef['field'], operator: Chip['operator'], values: readonly string[]): Chip => ({
  field,
  key: '',
  isNegated: false,
  operator,
  values,
})

function boundariesOf(facet: keyof typeof vitals): readonly [good: string, poor: string] {
  const [good, poor] = vitalBoundaries[vitals[facet]]
  return [String(good), String(poor)]
}

/** Ratings are adjacent ranges: a range between two thresholds needs two comparisons. */
function chipsOfRatings(facet: keyof typeof vitals, wanted: readonly string[], last: string): Chip[] {
  const [good, poor] = boundariesOf(facet)
  const has = (rating: Rating) => wanted.includes(rating)
  if (ratings.every(has)) return [chip(facet, 'exists', [])]
  // "Good or poor" without the range between cannot be expressed: the last selection wins.
  if (has('good') && has('poor')) return chipsOfRatings(facet, [last], last)
  return [
    ...(has('good') ? [] : [chip(facet, '>', [has('needs-improvement') ? good : poor])]),
    ...(has('poor') ? [] : [chip(facet, '<=', [has('needs-improvement') ? poor : good])]),
  ]
}

function tickedRatings(chips: readonly Chip[], facet: keyof typeof vitals): Rating[] {
  const [good, poor] = boundariesOf(facet)
  const own = chips.filter((one) => isTickChip(one, facet))
  if (own.length === 0) return []
  const above = own.find(({ operator }) => operator === '>')?.values[0]
  const below = own.find(({ operator }) => operator === '<=')?.values[0]
  return ratings.filter((rating) => {
    if (rating === 'good') return above === undefined
    if (rating === 'poor') return below === undefined
    return above !== poor && below !== good
  })
}

function countOfChip({ operator, values }: Chip): 'none' | 'some' | undefined {
  if (operator === 'is' && values.length === 1 && values[0] === '0') return 'none'
  return operator === '>' && values[0] === '0' ? 'some' : undefined
}

/** Whether a chip has the form that the facet writes. */
function isTickChip(one: Chip, facet: SessionFacetName): boolean {
  if (one.field !== facet || one.isNegated) return false
  if (counts.includes(facet)) return countOfChip(one) !== undefined
  if (!isVitalFacet(facet)) return one.operator === 'is'
  const isBoundary = one.operator === '>' || one.operator === '<='
  return one.operator === 'exists' || (isBoundary && boundariesOf(facet).includes(one.values[0] ?? ''))
}
