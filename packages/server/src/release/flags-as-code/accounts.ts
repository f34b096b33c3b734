import { inArray, sql } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

/** Ids of accounts by their e-mail address in lower case. */
export type Accounts = ReadonlyMap<string, string>

/** The owners of flags. */
export async function findAccounts(
  db: Queryable,
  flags: readonly { owners: readonly string[] }[],
): Promise<Accounts> {
  const emails = [...new Set(flags.flatMap(({ owners }) => owners.map((email) => email.toLowerCase())))]
  if (emails.length === 0) return new Map()
  const email = sql<string>`lower(${users.email})`
  const rows = await db.select({ id: users.id, email }).from(users).where(inArray(email, emails))
  return new Map(rows.map((row) => [row.email, row.id]))
}

/** The ids of owners, without those who have no account. */
export function idsOf(accounts: Accounts, owners: readonly string[]): string[] {
  return owners.flatMap((email) => accounts.get(email.toLowerCase()) ?? [])
}
