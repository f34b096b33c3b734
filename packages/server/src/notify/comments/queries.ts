import { problem } from '@telltale/core/errors'
import type { Mentionable } from '@telltale/core/notices/find-mentions'
import { and, desc, eq, inArray, isNull, lt, or } from 'drizzle-orm'
import { isMemberOf } from '../../access/find-roles.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { commentMentions, comments } from '../../platform/engines/postgres/comment-schema.ts'
import { issues } from '../../platform/engines/postgres/issue-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import type { Subject } from './subject.ts'

export type CommentRow = typeof comments.$inferSelect

export interface PlacedComment {
  comment: CommentRow
  env: string | null
}

/** Also of the error issues that were merged into this one. */
const isOn = (db: Queryable, { kind, id }: Subject) =>
  and(
    eq(comments.subjectKind, kind),
    kind === 'issue'
      ? or(
          eq(comments.subjectId, id),
          inArray(
            comments.subjectId,
            db.select({ id: issues.id }).from(issues).where(eq(issues.mergedInto, id)),
          ),
        )
      : eq(comments.subjectId, id),
  )

/** Newest first. */
export async function findComments(
  db: Queryable,
  { projectId, subject }: { projectId: string; subject: Subject | undefined },
  { before, count }: { before: string | undefined; count: number },
): Promise<PlacedComment[]> {
  return db
    .select({ comment: comments, env: environments.key })
    .from(comments)
    .leftJoin(environments, eq(environments.id, comments.environmentId))
    .where(
      and(
        eq(comments.projectId, projectId),
        subject && isOn(db, subject),
        before === undefined ? undefined : lt(comments.id, before),
      ),
    )
    .orderBy(desc(comments.id))
    .limit(count)
}

export async function countComments(db: Queryable, projectId: string, subject: Subject): Promise<number> {
  return db.$count(comments, and(eq(comments.projectId, projectId), isOn(db, subject)))
}

/** Locked until the transaction ends. Throws `not-found`. */
export async function lockComment(db: Queryable, projectId: string, id: string): Promise<CommentRow> {
  const [row] = await db
    .select()
    .from(comments)
    .where(and(eq(comments.projectId, projectId), eq(comments.id, id)))
    .for('update')
  if (row === undefined) throw problem('not-found', 'There is no such comment.')
  return row
}

/** Members of the project and owners of the installation. */
export async function findMentionable(
  db: Queryable,
  projectId: string,
): Promise<(Mentionable & { mentionMail: boolean })[]> {
  return db
    .select({ id: users.id, name: users.name, email: users.email, mentionMail: users.mentionMail })
    .from(users)
    .where(and(isNull(users.disabledAt), or(eq(users.role, 'owner'), isMemberOf(db, projectId))))
}

export interface MentionRow {
  commentId: string
  id: string
  name: string
}

export async function findMentioned(db: Queryable, commentIds: readonly string[]): Promise<MentionRow[]> {
  if (commentIds.length === 0) return []
  return db
    .select({ commentId: commentMentions.commentId, id: users.id, name: users.name })
    .from(commentMentions)
    .innerJoin(users, eq(users.id, commentMentions.userId))
    .where(inArray(commentMentions.commentId, [...commentIds]))
    .orderBy(users.name, users.id)
}
