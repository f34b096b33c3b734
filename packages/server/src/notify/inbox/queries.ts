// What waits in a project, each kind newest first and up to a maximum.

import { limits } from '@telltale/core/limits'
import { and, arrayContains, asc, desc, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm'
import { changeRequests, scheduledChanges } from '../../platform/engines/postgres/change-schema.ts'
import { commentMentions, comments } from '../../platform/engines/postgres/comment-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'
import { isOwnedByTeamOf } from '../../release/flags/queries.ts'

const waiting = ['holding-undecided', 'holding-blind', 'holding-split-wrong', 'holding-approval'] as const

export function findWaitingRollouts(db: Queryable, projectId: string) {
  return db
    .select({ row: rollouts, env: environments.key, flag: flags.key })
    .from(rollouts)
    .innerJoin(environments, eq(environments.id, rollouts.environmentId))
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .where(and(eq(rollouts.projectId, projectId), inArray(rollouts.state, [...waiting])))
    .orderBy(desc(rollouts.id))
    .limit(limits.inboxItems)
}

/** Open and approved ones for those who approve and apply, and the caller's own in conflict. */
export function findWaitingRequests(
  db: Queryable,
  { projectId, userId, mayApprove }: { projectId: string; userId: string; mayApprove: boolean },
) {
  const isOwner = and(
    eq(environments.ownerApproval, true),
    or(arrayContains(flags.owners, [userId]), isOwnedByTeamOf(userId)),
  )
  const isMine = eq(changeRequests.authorId, userId)
  const ownTurn = and(isMine, eq(changeRequests.state, 'conflicted'))
  return db
    .select({
      id: changeRequests.id,
      state: changeRequests.state,
      authorId: changeRequests.authorId,
      reason: changeRequests.reason,
      author: changeRequests.authorName,
      reviewers: changeRequests.reviewers,
      approvals: changeRequests.approvals,
      isOwner: sql<boolean>`${isOwner}`,
      updatedAt: changeRequests.updatedAt,
      env: environments.key,
      flag: flags.key,
    })
    .from(changeRequests)
    .innerJoin(environments, eq(environments.id, changeRequests.environmentId))
    .innerJoin(flags, eq(flags.id, changeRequests.flagId))
    .where(
      and(
        eq(changeRequests.projectId, projectId),
        mayApprove ? or(inArray(changeRequests.state, ['open', 'approved']), ownTurn) : ownTurn,
      ),
    )
    .orderBy(desc(changeRequests.id))
    .limit(limits.inboxItems)
}

/** Pending ones, the next first, and those that failed since. */
export function findWaitingChanges(db: Queryable, projectId: string, failedSince: Date) {
  return db
    .select({
      id: scheduledChanges.id,
      state: scheduledChanges.state,
      at: scheduledChanges.at,
      endedAt: scheduledChanges.endedAt,
      author: scheduledChanges.author,
      env: environments.key,
      flag: flags.key,
    })
    .from(scheduledChanges)
    .innerJoin(environments, eq(environments.id, scheduledChanges.environmentId))
    .innerJoin(flags, eq(flags.id, scheduledChanges.flagId))
    .where(
      and(
        eq(scheduledChanges.projectId, projectId),
        or(
          eq(scheduledChanges.state, 'pending'),
          and(eq(scheduledChanges.state, 'failed'), gte(scheduledChanges.endedAt, failedSince)),
        ),
      ),
    )
    .orderBy(asc(scheduledChanges.at))
    .limit(limits.inboxItems)
}

/** Unread ones first. */
export function findMentionsOf(db: Queryable, { projectId, userId }: { projectId: string; userId: string }) {
  return db
    .select({ comment: comments, readAt: commentMentions.readAt, env: environments.key })
    .from(commentMentions)
    .innerJoin(comments, eq(comments.id, commentMentions.commentId))
    .leftJoin(environments, eq(environments.id, comments.environmentId))
    .where(and(eq(commentMentions.userId, userId), eq(comments.projectId, projectId)))
    .orderBy(desc(isNull(commentMentions.readAt)), desc(comments.id))
    .limit(limits.inboxItems)
}

export async function storeRead(
  db: Queryable,
  { projectId, userId, ids, now }: { projectId: string; userId: string; ids: readonly string[]; now: Date },
): Promise<void> {
  const inProject = db.select({ id: comments.id }).from(comments).where(eq(comments.projectId, projectId))
  await db
    .update(commentMentions)
    .set({ readAt: now })
    .where(
      and(
        eq(commentMentions.userId, userId),
        isNull(commentMentions.readAt),
        inArray(commentMentions.commentId, [...ids]),
        inArray(commentMentions.commentId, inProject),
      ),
    )
}
