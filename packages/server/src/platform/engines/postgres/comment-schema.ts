// Comments of members on flags, rollouts, error issues and sessions, with their mentions.

import { commentSubjects } from '@telltale/core/contract/comments'
import { sql } from 'drizzle-orm'
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { environments, projects } from './schema.ts'

export const comments = pgTable(
  'comments',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    environmentId: uuid('environment_id').references(() => environments.id, { onDelete: 'cascade' }),
    subjectKind: text('subject_kind', { enum: [...commentSubjects] }).notNull(),
    /** The id of a flag, a rollout, an error issue or a session. */
    subjectId: uuid('subject_id').notNull(),
    /** In a URL and in a list: the key of the flag, or the id and a name. */
    subjectKey: text('subject_key').notNull(),
    subjectName: text('subject_name').notNull(),
    text: text('text').notNull(),
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    authorName: text('author_name').notNull(),
    createdAt: createdAt(),
    editedAt: instant('edited_at'),
  },
  (table) => [index('comments_subject').on(table.projectId, table.subjectKind, table.subjectId, table.id)],
)

export const commentMentions = pgTable(
  'comment_mentions',
  {
    commentId: uuid('comment_id')
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    readAt: instant('read_at'),
  },
  (table) => [
    primaryKey({ columns: [table.commentId, table.userId] }),
    index('comment_mentions_unread').on(table.userId).where(sql`${table.readAt} IS NULL`),
  ],
)
