import { problem } from '@telltale/core/errors'
import { and, desc, eq, ilike, lt, or } from 'drizzle-orm'
import { dashboards } from '../../platform/engines/postgres/dashboard-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export type DashboardRow = typeof dashboards.$inferSelect

export interface DashboardRef {
  project: { id: string; key: string }
  id: string
}

const isOne = ({ project, id }: DashboardRef) =>
  and(eq(dashboards.projectId, project.id), eq(dashboards.id, id))

/** Newest first. */
export async function findDashboards(
  db: Queryable,
  { projectId, search }: { projectId: string; search: string | undefined },
  { before, count }: { before: string | undefined; count: number },
): Promise<DashboardRow[]> {
  const pattern = search === undefined ? undefined : `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return db
    .select()
    .from(dashboards)
    .where(
      and(
        eq(dashboards.projectId, projectId),
        before === undefined ? undefined : lt(dashboards.id, before),
        pattern === undefined
          ? undefined
          : or(ilike(dashboards.name, pattern), ilike(dashboards.description, pattern)),
      ),
    )
    .orderBy(desc(dashboards.id))
    .limit(count)
}

/** Throws `not-found`. */
export async function getDashboard(db: Queryable, ref: DashboardRef): Promise<DashboardRow> {
  const [row] = await db.select().from(dashboards).where(isOne(ref))
  if (row === undefined) throw problem('not-found', 'There is no such dashboard.')
  return row
}

/** Locked until the transaction ends. Throws `not-found`. */
export async function lockDashboard(db: Queryable, ref: DashboardRef): Promise<DashboardRow> {
  const [row] = await db.select().from(dashboards).where(isOne(ref)).for('update')
  if (row === undefined) throw problem('not-found', 'There is no such dashboard.')
  return row
}

export async function countDashboards(db: Queryable, projectId: string): Promise<number> {
  return db.$count(dashboards, eq(dashboards.projectId, projectId))
}
