import type { FlagChange } from '@telltale/core/contract/flags'
import { type Fault, problem } from '@telltale/core/errors'
import { inArray } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { teams } from '../../platform/engines/postgres/team-schema.ts'
import { checkValues } from './check-flag.ts'
import type { FlagRow } from './queries.ts'

/** Merges a draft into a flag. Throws `invalid-request` with every fault that the schema does not cover. */
export async function mergeFlag(db: Queryable, kept: FlagRow, draft: FlagChange): Promise<FlagRow> {
  const merged: FlagRow = {
    ...kept,
    name: draft.name ?? kept.name,
    description: draft.description ?? kept.description,
    variations:
      draft.variations?.map(({ key, name, value }) => ({ key, name: name ?? key, value })) ?? kept.variations,
    valueSchema: draft.valueSchema === undefined ? kept.valueSchema : draft.valueSchema,
    tags: draft.tags ?? kept.tags,
    owners: draft.owners ?? kept.owners,
    ownerTeams: draft.ownerTeams ?? kept.ownerTeams,
    permanent: draft.permanent ?? kept.permanent,
    removeBy: draft.removeBy === undefined ? kept.removeBy : draft.removeBy,
    clientVisible: draft.clientVisible ?? kept.clientVisible,
  }
  const faults = [...checkValues(merged), ...(await ownerFaults(db, draft))]
  if (faults.length > 0) throw problem('invalid-request', { errors: faults })
  return merged
}

/** Owners stay until the transaction ends: one that is deleted meanwhile would come back. */
async function ownerFaults(
  db: Queryable,
  { owners = [], ownerTeams = [] }: Pick<FlagChange, 'owners' | 'ownerTeams'>,
): Promise<Fault[]> {
  const found = [
    ...(owners.length === 0
      ? []
      : await db.select({ id: users.id }).from(users).where(inArray(users.id, owners)).for('key share')),
    ...(ownerTeams.length === 0
      ? []
      : await db.select({ id: teams.id }).from(teams).where(inArray(teams.id, ownerTeams)).for('key share')),
  ]
  const known = new Set(found.map(({ id }) => id))
  const unknown = (ids: readonly string[], member: string, kind: string) =>
    ids.flatMap((id, index) =>
      known.has(id)
        ? []
        : [{ pointer: `/${member}/${index}`, message: `is not a ${kind} of this installation` }],
    )
  return [...unknown(owners, 'owners', 'user'), ...unknown(ownerTeams, 'ownerTeams', 'team')]
}
