import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { ProjectRow } from '../../access/find-project.ts'
import { findEnvironmentById } from '../../organisation/environments/queries.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { comments } from '../../platform/engines/postgres/comment-schema.ts'
import { commentChange, toComments } from './comment.ts'
import type { PostMentions } from './mail-mentions.ts'
import { storeMentions } from './mention.ts'
import { lockComment } from './queries.ts'

interface CommentUpdate {
  project: ProjectRow
  id: string
  userId: string
  text: string
  post: PostMentions
}

/** Only by its author. Mentions of before stay, as the e-mail about them was sent. */
export const updateComment = change(
  async ({ db, now }, { project, id, userId, text, post }: CommentUpdate) => {
    const before = await lockComment(db, project.id, id)
    if (before.authorId !== userId) {
      throw problem('forbidden', `Only ${before.authorName}, the author, can change this comment.`)
    }
    const row = { ...before, text, editedAt: now }
    await db.update(comments).set({ text, editedAt: now }).where(eq(comments.id, id))
    const environment = await findEnvironmentById(db, before.environmentId)
    post(await storeMentions(db, row), { row, environment })
    const [reply] = await toComments(db, [{ comment: row, env: environment?.key ?? null }])
    if (reply === undefined) throw new Error('One comment gives one.')
    const isSame = before.text === text
    return { reply, changes: isSame ? [] : [commentChange('update', { row, project, environment })] }
  },
)
