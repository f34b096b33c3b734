import type { FlagContent } from '@telltale/core/flags-as-code/content'
import { inArray, sql } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { teams } from '../../platform/engines/postgres/team-schema.ts'

type Owned = Pick<FlagContent, 'owners' | 'ownerTeams'>

export interface OwnerIds {
  /** By e-mail address in lower case. */
  accounts: ReadonlyMap<string, string>
  /** By key. */
  teams: ReadonlyMap<string, string>
}

/** Of the owners of these flags. */
export async function findOwnerIds(db: Queryable, flags: readonly Owned[]): Promise<OwnerIds> {
  const emails = [...new Set(flags.flatMap(({ owners }) => owners.map((email) => email.toLowerCase())))]
  const keys = [...new Set(flags.flatMap(({ ownerTeams }) => ownerTeams))]
  const email = sql<string>`lower(${users.email})`
  const accounts =
    emails.length === 0
      ? []
      : await db.select({ id: users.id, email }).from(users).where(inArray(email, emails))
  const named =
    keys.length === 0
      ? []
      : await db.select({ id: teams.id, key: teams.key }).from(teams).where(inArray(teams.key, keys))
  return {
    accounts: new Map(accounts.map((row) => [row.email, row.id])),
    teams: new Map(named.map((row) => [row.key, row.id])),
  }
}

/** The ids of owners, without those who have no account and teams that do not exist. */
export function idsOf({ accounts, teams }: OwnerIds, { owners, ownerTeams }: Owned) {
  return {
    owners: owners.flatMap((email) => accounts.get(email.toLowerCase()) ?? []),
    ownerTeams: ownerTeams.flatMap((key) => teams.get(key) ?? []),
  }
}
