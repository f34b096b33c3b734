import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { memberships, projects } from '../../platform/engines/postgres/schema.ts'

export async function countProjects(db: Queryable): Promise<number> {
  return db.$count(projects)
}

interface ProjectFilter {
  /** Only projects of this member; undefined for all. */
  memberId: string | undefined
  /** Only this project; undefined for all. */
  onlyId: string | undefined
  after?: string | undefined
  count?: number
}

/** Projects by key, each with the role of the given member. */
export async function findProjects(db: Queryable, filter: ProjectFilter) {
  const { memberId, onlyId, after, count } = filter
  const conditions: (SQL | undefined)[] = [
    onlyId === undefined ? undefined : eq(projects.id, onlyId),
    after === undefined ? undefined : gt(projects.key, after),
    memberId === undefined
      ? undefined
      : inArray(
          projects.id,
          db.select({ id: memberships.projectId }).from(memberships).where(eq(memberships.userId, memberId)),
        ),
  ]
  const query = db
    .select({ project: projects, role: memberships.role })
    .from(projects)
    .leftJoin(
      memberships,
      and(
        eq(memberships.projectId, projects.id),
        memberId === undefined ? sql`false` : eq(memberships.userId, memberId),
      ),
    )
    .where(and(...conditions))
    .orderBy(asc(projects.key))
  return count === undefined ? query : query.limit(count)
}
