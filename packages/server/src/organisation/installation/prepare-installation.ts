import type { Db } from '../../platform/engines/postgres/open.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { newSecret } from '../../platform/http/secret.ts'
import { findInstallation } from './queries.ts'

/**
 * Makes sure that the installation has its row, and gives the code with which its owner is created; undefined once
 * there is one. The code stays the same from start to start, so that the address printed first goes on working.
 */
export async function prepareInstallation(db: Db, now: Date): Promise<string | undefined> {
  await db.insert(installation).values({ setupCode: newSecret(), createdAt: now }).onConflictDoNothing()

  const row = await findInstallation(db)
  return row?.setupCode ?? undefined
}
