import type { Comment } from '@telltale/core/contract/comments'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type CommentRow, findMentioned } from './queries.ts'

/** Comments as the API returns them. */
export async function toComments(db: Queryable, rows: readonly CommentRow[]): Promise<Comment[]> {
  const mentioned = await findMentioned(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
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
