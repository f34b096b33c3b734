import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { sessionFacetsQuery, sessionsQuery } from '../../../api/sessions.ts'
import { useQuestion } from '../../../shell/use-question.ts'
import type { ListSearch } from '../sessions-search.ts'

export interface Neighbours {
  /** From 1; undefined while the session is not among those that were loaded. */
  readonly place: number | undefined
  readonly total: number | undefined
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The session's place in the list that one came from, which the address still names. */
export function useNeighbours(id: string, { seq = '', sort = 'newest' }: ListSearch): Neighbours {
  const { question } = useQuestion()
  const asked = { question, sequence: seq }
  const list = useInfiniteQuery(sessionsQuery(asked, sort))
  const facets = useQuery(sessionFacetsQuery(asked, { fields: 'errors', top: 1 }))
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  const index = rows.findIndex((row) => row.id === id)
  return {
    place: index < 0 ? undefined : index + 1,
    total: facets.data && Math.max(Math.round(facets.data.sessions), rows.length),
    before: index < 0 ? undefined : rows[index - 1]?.id,
    after: index < 0 ? undefined : rows[index + 1]?.id,
  }
}
