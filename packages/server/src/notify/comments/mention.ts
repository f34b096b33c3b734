import { limits } from '@telltale/core/limits'
import { findMentions } from '@telltale/core/notices/find-mentions'
import { commentMentions } from '../../platform/engines/postgres/comment-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type CommentRow, findMentionable, findMentioned } from './queries.ts'

export interface Mentioned {
  id: string
  email: string
  mentionMail: boolean
}

/** Stores the mentions of a text and returns the newly mentioned members. Authors do not mention themselves. */
export async function storeMentions(
  db: Queryable,
  { id: commentId, projectId, text, authorId }: CommentRow,
): Promise<Mentioned[]> {
  const people = (await findMentionable(db, projectId)).filter(({ id }) => id !== authorId)
  const before = new Set((await findMentioned(db, [commentId])).map(({ id }) => id))
  const ids = findMentions(text, people).slice(0, limits.mentionsPerComment)
  const added = people.filter(({ id }) => ids.includes(id) && !before.has(id))
  if (added.length === 0) return []
  await db.insert(commentMentions).values(added.map(({ id: userId }) => ({ commentId, userId })))
  return added
}
