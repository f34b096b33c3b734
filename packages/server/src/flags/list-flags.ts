import type { Queryable } from '../engines/postgres/open.ts'
import { type PageQuery, readPage } from '../http/page.ts'
import { toFlag, toSummary } from './flag.ts'
import { type FlagFilter, findConfigs, findFlags } from './queries.ts'

/** One page of flags, each with one summary per environment. */
export async function listFlags(db: Queryable, projectId: string, query: PageQuery & FlagFilter) {
  const { limit: _limit, cursor: _cursor, ...filter } = query
  const page = await readPage(query, {
    find: (after, count) => findFlags(db, projectId, { filter, after, count }),
    keyOf: ({ key }) => key,
    toItem: (row) => row,
  })
  const flagIds = page.items.map(({ id }) => id)
  const configs = flagIds.length === 0 ? [] : await findConfigs(db, projectId, { flagIds })
  return {
    items: page.items.map((row) => ({
      ...toFlag(row),
      environments: configs.filter(({ flag }) => flag.id === row.id).map(toSummary),
    })),
    next: page.next,
  }
}
