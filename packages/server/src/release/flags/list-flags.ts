import type { DescribedFlag } from '@telltale/core/contract/flags'
import { limits } from '@telltale/core/limits'
import type { LifecycleState } from '@telltale/core/states/lifecycle'
import type { Static } from 'typebox'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type PageQuery, readPage } from '../../platform/http/page.ts'
import { describeFlags } from './describe-flags.ts'
import { type FlagFilter, findFlags } from './queries.ts'

interface Listing {
  projectId: string
  query: PageQuery & Omit<FlagFilter, 'ownedBy'> & { lifecycle?: LifecycleState; mine?: boolean }
  /** The caller. */
  userId: string
  now: Date
}

/** One page of flags, each with one summary per environment. */
export async function listFlags(db: Queryable, { projectId, query, userId, now }: Listing) {
  const { limit: _limit, cursor: _cursor, lifecycle, mine, ...given } = query
  const filter: FlagFilter = { ...given, ...(mine && { ownedBy: userId }) }
  if (lifecycle === 'archived') filter.archived = true

  return readPage(query, {
    find: async (after, count) => {
      if (lifecycle !== undefined)
        return findInLifecycle(db, { projectId, filter, lifecycle, now }, { after, count })
      return describeFlags(db, await findFlags(db, projectId, { filter, after, count }), now)
    },
    keyOf: ({ key }) => key,
    toItem: (flag) => flag,
  })
}

/** A lifecycle is derived, not stored: flags are read until the page is full. */
async function findInLifecycle(
  db: Queryable,
  {
    projectId,
    filter,
    lifecycle,
    now,
  }: { projectId: string; filter: FlagFilter; lifecycle: LifecycleState; now: Date },
  { after, count }: { after: string | undefined; count: number },
) {
  const found: Static<typeof DescribedFlag>[] = []
  const atOnce = limits.pageSizeMaximum
  for (let last = after; found.length < count; ) {
    const rows = await findFlags(db, projectId, { filter, after: last, count: atOnce })
    const described = await describeFlags(db, rows, now)
    found.push(...described.filter((flag) => flag.lifecycle.state === lifecycle))
    last = rows.at(-1)?.key
    if (rows.length < atOnce) break
  }
  return found.slice(0, count)
}
