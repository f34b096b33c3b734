import type { Comment } from '@telltale/core/contract/comments'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type CommentRow, findMentioned, type PlacedComment } from './queries.ts'

/** Comments as the API returns them. */
export async function toComments(db: Queryable, rows: readonly PlacedComment[]): Promise<Comment[]> {
  const mentioned = await findMentioned(
    db,
    rows.map(({ comment }) => comment.id),
  )
  return rows.map(({ comment: row, env }) => ({
    id: row.id,
    on: { kind: row.subjectKind, subject: row.subjectKey, name: row.subjectName, env },
    text: row.text,
    author: { id: row.authorId, name: row.authorName },
    mentions: mentioned.filter(({ commentId }) => commentId === row.id).map(({ id, name }) => ({ id, name })),
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
  }))
}

interface CommentChange {
  row: CommentRow
  project: { id: string; key: string }
  environment: { id: string; key: string } | undefined
}

/** The audit entry names what the comment is on, and not what it says. */
export function commentChange(
  action: 'create' | 'update' | 'delete',
  { row, project, environment }: CommentChange,
): EntityChange {
  const { id, subjectKind, subjectId, subjectName } = row
  return {
    action: `comment.${action}`,
    entity: { kind: `${subjectKind}-comment`, id: subjectId, name: subjectName },
    project,
    ...(environment && { environment }),
    ...(action === 'delete' ? { before: { comment: id } } : { after: { comment: id } }),
  }
}
