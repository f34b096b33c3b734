import { limits } from '@telltale/core/limits'
import { and, desc, eq, gte, inArray, isNull, lte } from 'drizzle-orm'
import { changeRequests, scheduledChanges } from '../../platform/engines/postgres/change-schema.ts'
import { digests } from '../../platform/engines/postgres/digest-schema.ts'
import { issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Queryable, Transaction } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags, projects } from '../../platform/engines/postgres/schema.ts'

export type DigestRow = typeof digests.$inferSelect
export type EnvironmentRow = typeof environments.$inferSelect

export interface PlacedDigest {
  row: DigestRow
  /** Null if it was never chosen, or deleted since. */
  environment: EnvironmentRow | null
}

/** Undefined if the project never had one. */
export async function findDigest(db: Queryable, projectId: string): Promise<PlacedDigest | undefined> {
  const [found] = await db
    .select({ row: digests, environment: environments })
    .from(digests)
    .leftJoin(environments, eq(environments.id, digests.environmentId))
    .where(eq(digests.projectId, projectId))
  return found
}

/** Those that are due, the longest first. */
export function findDue(db: Queryable, now: Date) {
  return db
    .select({ row: digests, environment: environments, project: projects })
    .from(digests)
    .innerJoin(projects, eq(projects.id, digests.projectId))
    .innerJoin(environments, eq(environments.id, digests.environmentId))
    .where(and(eq(digests.enabled, true), lte(digests.nextAt, now)))
    .orderBy(digests.nextAt)
    .limit(limits.digestsAtOnce)
}

/** Locked until the end of the transaction; undefined if another server has sent it. */
export async function lockDue(
  db: Transaction,
  { projectId, nextAt }: { projectId: string; nextAt: Date },
): Promise<DigestRow | undefined> {
  const [row] = await db
    .select()
    .from(digests)
    .where(and(eq(digests.projectId, projectId), eq(digests.nextAt, nextAt), eq(digests.enabled, true)))
    .for('update')
  return row
}

interface InWeek {
  environmentId: string
  from: Date
  to: Date
}

export function findEndedRollouts(db: Queryable, { environmentId, from, to }: InWeek) {
  return db
    .select({
      id: rollouts.id,
      flag: flags.key,
      treatment: rollouts.treatment,
      state: rollouts.state,
      endedAt: rollouts.endedAt,
    })
    .from(rollouts)
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .where(
      and(
        eq(rollouts.environmentId, environmentId),
        inArray(rollouts.state, ['completed', 'rolled-back', 'cancelled']),
        gte(rollouts.endedAt, from),
        lte(rollouts.endedAt, to),
      ),
    )
    .orderBy(desc(rollouts.endedAt))
    .limit(limits.digestItems)
}

/** Of the whole environment: not limited to what one member may decide. */
export async function countWaiting(db: Queryable, { environmentId, from }: InWeek) {
  const isOpenRequest = and(
    eq(changeRequests.environmentId, environmentId),
    inArray(changeRequests.state, ['open', 'approved', 'conflicted']),
  )
  const isPending = and(
    eq(scheduledChanges.environmentId, environmentId),
    eq(scheduledChanges.state, 'pending'),
  )
  const isNewIssue = and(
    eq(issues.environmentId, environmentId),
    eq(issues.state, 'unresolved'),
    isNull(issues.mergedInto),
    gte(issues.firstSeenAt, from),
  )
  return {
    changeRequests: await db.$count(changeRequests, isOpenRequest),
    scheduledChanges: await db.$count(scheduledChanges, isPending),
    issues: await db.$count(issues, isNewIssue),
  }
}
