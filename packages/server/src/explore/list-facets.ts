import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listFacets as listFacetsCall } from '@telltale/core/contract/explore'
import { limits } from '@telltale/core/limits'
import { type FieldRef, type Filter, printField } from '@telltale/core/telemetry/filter'
import { periodOf } from './open-question.ts'
import { findFacet } from './queries.ts'
import type { Question } from './question.ts'
import { readGroups } from './read-groups.ts'

const valuesListed = 5

export async function listFacets(
  question: Question,
  { fields, kind, search, top = valuesListed }: QueryOf<typeof listFacetsCall>,
): Promise<ReplyOf<typeof listFacetsCall>> {
  const wanted = readGroups(fields, { pointer: '?fields', most: limits.facetFields })
  const facets = await Promise.all(
    wanted.map(async (field) => {
      const rows = await findFacet(question.with({ filter: withoutField(question.filter, field) }), {
        field,
        kind,
        search,
        top,
      })
      return {
        field: printField(field),
        values: rows.map(({ text, count }) => ({ value: text, count })),
        distinct: Number(rows[0]?.distinct ?? 0),
      }
    }),
  )
  return { ...periodOf(question), facets }
}

/** So that other values of the field can still be chosen. */
export function withoutField(filter: Filter, { field, key }: FieldRef): Filter {
  const chips = filter.chips.filter(
    (chip) => chip.isNegated || chip.field !== field || (key !== '' && chip.key !== key),
  )
  return { ...filter, chips }
}
