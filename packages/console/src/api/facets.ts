import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/explore'
import { request } from './client.ts'
import { type PeriodRequest, periodRequestOf, type Question, questionQuery } from './question.ts'

type FacetCounts = ReplyOf<typeof contract.listFacets>['facets'][number]

const valuesOffered = 20

/** Values of one field that contain the typed text, regardless of the other filters. */
export async function loadFacetValues(
  question: Question,
  {
    field,
    kind,
    search,
    signal,
  }: { field: string; kind?: 'log' | undefined; search: string; signal: AbortSignal },
): Promise<FacetCounts['values']> {
  const requested: PeriodRequest = periodRequestOf({ ...question, filter: '' }, signal)
  const query = {
    ...requested.query,
    fields: field,
    kind,
    search: search === '' ? undefined : search,
    top: valuesOffered,
  }
  const { facets } = await request(calls.explore.listFacets, { ...requested, query })
  return facets[0]?.values ?? []
}

/** Bot events that match the filter, by kind. A facet ignores the filter on its own field. */
export const botCountQuery = (question: Question) =>
  questionQuery(
    { ...question, filter: `${question.filter} bot:true`.trim() },
    ['bots'],
    async (requested) => {
      const { facets } = await request(calls.explore.listFacets, {
        ...requested,
        query: { ...requested.query, fields: 'kind', top: valuesOffered },
      })
      return (facets[0]?.values ?? []).reduce((sum, { count }) => sum + count, 0)
    },
  )
