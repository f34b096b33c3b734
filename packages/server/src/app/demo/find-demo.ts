import { like } from 'drizzle-orm'
import type { ProjectRow } from '../../access/find-project.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { projects, provisioned } from '../../platform/engines/postgres/schema.ts'

export interface FoundDemo {
  project: ProjectRow
  begunAt: Date
  /** Whether everything in it was created; an interrupted start leaves only a part. */
  isWhole: boolean
  hasHistory: boolean
  /** Whether the decisions about its error issues were made. */
  isDecided: boolean
}

const prefix = 'demo '
export const marks = {
  begun: (id: string) => `${prefix}${id}`,
  whole: (id: string) => `${prefix}${id} whole`,
  history: (id: string) => `${prefix}${id} history`,
  decided: (id: string) => `${prefix}${id} decided`,
}

/** The project of an earlier start; undefined if it was deleted. */
export async function findDemo(db: Queryable): Promise<FoundDemo | undefined> {
  const rows = await db
    .select()
    .from(provisioned)
    .where(like(provisioned.identity, `${prefix}%`))
  const known = new Map(rows.map(({ identity, createdAt }) => [identity, createdAt]))
  for (const project of await db.select().from(projects)) {
    const begunAt = known.get(marks.begun(project.id))
    if (begunAt === undefined) continue
    const { id } = project
    return {
      project,
      begunAt,
      isWhole: known.has(marks.whole(id)),
      hasHistory: known.has(marks.history(id)),
      isDecided: known.has(marks.decided(id)),
    }
  }
  return undefined
}

export async function setMark(db: Queryable, identity: string, now: Date): Promise<void> {
  await db.insert(provisioned).values({ identity, createdAt: now }).onConflictDoNothing()
}
