import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import type { ProjectRow } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { comments } from '../../platform/engines/postgres/comment-schema.ts'
import { commentChange, toComments } from './comment.ts'
import type { PostMentions } from './mail-mentions.ts'
import { storeMentions } from './mention.ts'
import { countComments } from './queries.ts'
import { findSubject, type GivenSubject } from './subject.ts'

interface NewComment extends GivenSubject {
  project: ProjectRow
  author: { id: string; name: string }
  text: string
  post: PostMentions
}

export const addComment = change(
  async ({ db, now }, { project, author, text, post, ...given }: NewComment) => {
    const subject = await findSubject(db, project, given)
    if ((await countComments(db, project.id, subject)) >= limits.commentsPerSubject) {
      throw problem(
        'in-use',
        `There are ${limits.commentsPerSubject} comments already, the most there can be.`,
      )
    }
    const { kind, id, key, name, environment } = subject
    const row = {
      id: newId(),
      projectId: project.id,
      environmentId: environment?.id ?? null,
      subjectKind: kind,
      subjectId: id,
      subjectKey: key,
      subjectName: name,
      text,
      authorId: author.id,
      authorName: author.name,
      createdAt: now,
      editedAt: null,
    }
    await db.insert(comments).values(row)
    post(await storeMentions(db, row), { row, environment })
    const [reply] = await toComments(db, [{ comment: row, env: environment?.key ?? null }])
    if (reply === undefined) throw new Error('One comment gives one.')
    return { reply, changes: [commentChange('create', { row, project, environment })] }
  },
)
