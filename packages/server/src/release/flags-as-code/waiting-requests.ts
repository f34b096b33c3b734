import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { and, eq, inArray } from 'drizzle-orm'
import { changeRequests } from '../../platform/engines/postgres/change-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'

export interface Waiting {
  id: string
  flag: string
  env: string
  proposed: FlagConfigDraft
}

/** Undecided change requests that applications opened. */
export async function findWaiting(db: Queryable, projectId: string): Promise<Waiting[]> {
  return db
    .select({
      id: changeRequests.id,
      flag: flags.key,
      env: environments.key,
      proposed: changeRequests.proposed,
    })
    .from(changeRequests)
    .innerJoin(flags, eq(flags.id, changeRequests.flagId))
    .innerJoin(environments, eq(environments.id, changeRequests.environmentId))
    .where(
      and(
        eq(changeRequests.projectId, projectId),
        eq(changeRequests.fromCode, true),
        inArray(changeRequests.state, ['open', 'approved']),
      ),
    )
}

/** What is proposed: the ids of new rules are made when the request is opened. */
export function proposalOf({ rules, ...draft }: FlagConfigDraft): object {
  return { ...draft, rules: rules.map(({ id: _id, ...rule }) => rule) }
}
