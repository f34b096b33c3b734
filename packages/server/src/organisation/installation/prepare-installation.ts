import type { Db } from '../../platform/engines/postgres/open.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { newSecret } from '../../platform/http/secret.ts'
import { findInstallation } from './queries.ts'

/**
 * Ensures that the installation has its row, and returns the code for creating the owner; undefined once there
 * is an owner. The code stays the same across restarts, so that the URL printed first keeps working.
 */
export async function prepareInstallation(db: Db, now: Date): Promise<string | undefined> {
  await db.insert(installation).values({ setupCode: newSecret(), createdAt: now }).onConflictDoNothing()

  const row = await findInstallation(db)
  return row?.setupCode ?? undefined
}
