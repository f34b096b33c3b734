import { problem } from '@telltale/core/errors'
import { and, asc, desc, eq, lt, lte } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { scheduledChanges } from '../../platform/engines/postgres/change-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments, flags, projects } from '../../platform/engines/postgres/schema.ts'

export type ScheduledChangeRow = typeof scheduledChanges.$inferSelect

/** A scheduled change with the keys of its project, environment and flag. */
export interface PlacedSchedule {
  scheduled: ScheduledChangeRow
  env: string
  flag: string
}

const placed = (db: Queryable) =>
  db
    .select({ scheduled: scheduledChanges, env: environments.key, flag: flags.key })
    .from(scheduledChanges)
    .innerJoin(environments, eq(environments.id, scheduledChanges.environmentId))
    .innerJoin(flags, eq(flags.id, scheduledChanges.flagId))

/** Throws `not-found`. */
export async function getScheduledChange(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<PlacedSchedule> {
  const [found] = await placed(db).where(
    and(eq(scheduledChanges.projectId, projectId), eq(scheduledChanges.id, id)),
  )
  if (!found) throw problem('not-found', 'There is no such scheduled change.')
  return found
}

/** Locks the scheduled change and all flags of its project against changes. Throws `not-found`. */
export async function lockScheduledChange(
  db: Queryable,
  projectId: string,
  id: string,
): Promise<PlacedSchedule> {
  await lockProject(db, projectId)
  return getScheduledChange(db, projectId, id)
}

interface ScheduleFilter {
  state?: ScheduledChangeRow['state']
  env?: string
  flag?: string
  author?: string
}

/** Newest first. */
export async function findScheduledChanges(
  db: Queryable,
  { projectId, filter }: { projectId: string; filter: ScheduleFilter },
  { before, count }: { before: string | undefined; count: number },
): Promise<PlacedSchedule[]> {
  const { state, env, flag, author } = filter
  return placed(db)
    .where(
      and(
        eq(scheduledChanges.projectId, projectId),
        before === undefined ? undefined : lt(scheduledChanges.id, before),
        state === undefined ? undefined : eq(scheduledChanges.state, state),
        env === undefined ? undefined : eq(environments.key, env),
        flag === undefined ? undefined : eq(flags.key, flag),
        author === undefined ? undefined : eq(scheduledChanges.authorId, author),
      ),
    )
    .orderBy(desc(scheduledChanges.id))
    .limit(count)
}

export async function countPending(
  db: Queryable,
  { flagId, environmentId }: { flagId: string; environmentId: string },
): Promise<number> {
  return db.$count(
    scheduledChanges,
    and(
      eq(scheduledChanges.flagId, flagId),
      eq(scheduledChanges.environmentId, environmentId),
      eq(scheduledChanges.state, 'pending'),
    ),
  )
}

/** The pending change with the earliest time before an instant. */
export async function findDueChange(db: Queryable, now: Date) {
  const [found] = await db
    .select({
      id: scheduledChanges.id,
      version: scheduledChanges.version,
      at: scheduledChanges.at,
      author: scheduledChanges.author,
      project: projects,
    })
    .from(scheduledChanges)
    .innerJoin(projects, eq(projects.id, scheduledChanges.projectId))
    .where(and(eq(scheduledChanges.state, 'pending'), lte(scheduledChanges.at, now)))
    .orderBy(asc(scheduledChanges.at), asc(scheduledChanges.id))
    .limit(1)
  return found
}
