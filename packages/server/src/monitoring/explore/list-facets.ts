import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listFacets as listFacetsCall } from '@telltale/core/contract/explore'
import { limits } from '@telltale/core/limits'
import { type FieldRef, type Filter, printField, printFilter } from '@telltale/core/query/filter'
import { periodOf } from './open-question.ts'
import { findFacets, hasFewValues } from './queries.ts'
import type { Question } from './question.ts'
import { readGroups } from './read-groups.ts'
import { chooseSample, sampleOf } from './sample.ts'
import { groupsOf, openSource } from './source.ts'

const valuesListed = 5

type Query = QueryOf<typeof listFacetsCall>
type Reply = ReplyOf<typeof listFacetsCall>

/** Of all events, or of a sample of the users where those are very many. */
export async function listFacets(question: Question, query: Query): Promise<Reply> {
  const exact = query.kind === 'log' ? 'true' : query.exact
  return findValues(await chooseSample(question, { kind: query.kind, exact }), query)
}

async function findValues(
  question: Question,
  { fields, kind, search, top = valuesListed }: Query,
): Promise<Reply> {
  const wanted = readGroups(fields, {
    pointer: '?fields',
    most: limits.facetFields,
    canGroup: groupsOf(kind),
  })
  const readings = readingsOf(question.filter, wanted)
  const found = await Promise.all(
    readings.map(async ({ filter, fields: together }) => {
      const narrowed = question.with({ filter })
      const source = openSource(narrowed, kind)
      const rows = await findFacets(narrowed, { source, fields: together, search, top })
      return together.map((field, place) => ({ field, rows: rows.filter((row) => row.field === place) }))
    }),
  )
  const rowsOf = new Map(found.flat().map(({ field, rows }) => [printField(field), rows]))
  return {
    ...periodOf(question),
    sample: sampleOf(question),
    facets: wanted.map(printField).map((field) => {
      const rows = rowsOf.get(field) ?? []
      return {
        field,
        values: rows.map(({ text, count }) => ({ value: text, count })),
        distinct: Number(rows[0]?.distinct ?? 0),
      }
    }),
  }
}

interface Reading {
  filter: Filter
  fields: FieldRef[]
}

/** Fields with few values and the same remaining filter are read in one statement. */
function readingsOf(filter: Filter, wanted: readonly FieldRef[]): Reading[] {
  const readings = new Map<string, Reading>()
  for (const field of wanted) {
    const narrowed = withoutField(filter, field)
    const key = hasFewValues(field) ? printFilter(narrowed) : `${printField(field)}:`
    const reading = readings.get(key)
    if (reading === undefined) readings.set(key, { filter: narrowed, fields: [field] })
    else reading.fields.push(field)
  }
  return [...readings.values()]
}

/** A facet ignores its own field's filter, so that other values can still be chosen. */
export function withoutField(filter: Filter, { field, key }: FieldRef): Filter {
  const chips = filter.chips.filter(
    (chip) => chip.isNegated || chip.field !== field || (key !== '' && chip.key !== key),
  )
  return { ...filter, chips }
}
