import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { deploys } from '../../platform/engines/postgres/deploy-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export type DeployRow = typeof deploys.$inferSelect

interface FindDeploys {
  environmentId: string
  version: string | undefined
  from: number
  to: number
}

/** The newest first, and one more than are listed. */
export async function findDeploys(
  db: Queryable,
  { environmentId, version, from, to }: FindDeploys,
): Promise<DeployRow[]> {
  return db
    .select()
    .from(deploys)
    .where(
      and(
        eq(deploys.environmentId, environmentId),
        gte(deploys.at, new Date(from)),
        lt(deploys.at, new Date(to)),
        version === undefined ? undefined : eq(deploys.version, version),
      ),
    )
    .orderBy(desc(deploys.at), desc(deploys.id))
    .limit(limits.deploysListed + 1)
}

/** Throws `not-found`. */
export async function getDeploy(
  db: Queryable,
  { environmentId, id }: { environmentId: string; id: string },
): Promise<DeployRow> {
  const [row] = await db
    .select()
    .from(deploys)
    .where(and(eq(deploys.environmentId, environmentId), eq(deploys.id, id)))
  if (!row) throw problem('not-found', 'There is no such deploy in the environment.')
  return row
}
