import { problem } from '@telltale/core/errors'
import { type Grant, mayInProject } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import type { ProjectRow } from '../../access/find-project.ts'
import { findEnvironmentById } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { comments } from '../../platform/engines/postgres/comment-schema.ts'
import { commentChange } from './comment.ts'
import { lockComment } from './queries.ts'

interface CommentDeletion {
  project: ProjectRow
  grant: Grant
  id: string
  userId: string
}

export const deleteComment = change(async ({ db }, { project, grant, id, userId }: CommentDeletion) => {
  const row = await lockComment(db, project.id, id)
  if (row.authorId !== userId && !mayInProject(grant, 'members.manage')) {
    throw problem(
      'forbidden',
      `Only ${row.authorName}, the author, or a member with members.manage can delete this comment.`,
    )
  }
  await db.delete(comments).where(eq(comments.id, id))
  const environment = await findEnvironmentById(db, row.environmentId)
  return { reply: null, changes: [commentChange('delete', { row, project, environment })] }
})
