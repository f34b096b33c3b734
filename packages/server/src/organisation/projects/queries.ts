import { and, asc, eq, gt, inArray, type SQL } from 'drizzle-orm'
import { projectsOf } from '../../access/find-roles.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'

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

/** Projects by key. */
export async function findProjects(db: Queryable, filter: ProjectFilter) {
  const { memberId, onlyId, after, count } = filter
  const conditions: (SQL | undefined)[] = [
    onlyId === undefined ? undefined : eq(projects.id, onlyId),
    after === undefined ? undefined : gt(projects.key, after),
    memberId === undefined ? undefined : inArray(projects.id, projectsOf(db, memberId)),
  ]
  const query = db
    .select()
    .from(projects)
    .where(and(...conditions))
    .orderBy(asc(projects.key))
  return count === undefined ? query : query.limit(count)
}
