import { problem } from '@telltale/core/errors'
import { and, asc, eq, inArray, ne, or } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { savedViewMarks, savedViews } from '../../platform/engines/postgres/saved-view-schema.ts'

export type SavedViewRow = typeof savedViews.$inferSelect

export interface MarkedView {
  view: SavedViewRow
  /** Null without any. */
  marks: typeof savedViewMarks.$inferSelect | null
}

export interface ViewsOf {
  projectId: string
  userId: string
}

const visibleTo = ({ projectId, userId }: ViewsOf) =>
  and(eq(savedViews.projectId, projectId), or(eq(savedViews.shared, true), eq(savedViews.ownerId, userId)))

const marked = (db: Queryable, { userId }: ViewsOf) =>
  db
    .select({ view: savedViews, marks: savedViewMarks })
    .from(savedViews)
    .leftJoin(
      savedViewMarks,
      and(eq(savedViewMarks.viewId, savedViews.id), eq(savedViewMarks.userId, userId)),
    )

/** By screen and name. */
export async function findSavedViews(db: Queryable, of: ViewsOf): Promise<MarkedView[]> {
  return marked(db, of)
    .where(visibleTo(of))
    .orderBy(asc(savedViews.screen), asc(savedViews.name), asc(savedViews.id))
}

/** Locked until the transaction ends. Throws `not-found`, also for the personal view of someone else. */
export async function lockSavedView(db: Queryable, of: ViewsOf, id: string): Promise<SavedViewRow> {
  const [row] = await db
    .select()
    .from(savedViews)
    .where(and(visibleTo(of), eq(savedViews.id, id)))
    .for('update')
  if (row === undefined) throw problem('not-found', 'There is no such view.')
  return row
}

export async function getMarked(db: Queryable, of: ViewsOf, id: string): Promise<MarkedView> {
  const [found] = await marked(db, of).where(and(visibleTo(of), eq(savedViews.id, id)))
  if (found === undefined) throw problem('not-found', 'There is no such view.')
  return found
}

export async function countSavedViews(
  db: Queryable,
  { projectId, userId, shared }: ViewsOf & { shared: boolean },
): Promise<number> {
  const which = shared
    ? eq(savedViews.shared, true)
    : and(eq(savedViews.shared, false), eq(savedViews.ownerId, userId))
  return db.$count(savedViews, and(eq(savedViews.projectId, projectId), which))
}

/** A view that becomes personal is not in the navigation of others. */
export async function deleteMarksOfOthers(db: Queryable, viewId: string, userId: string): Promise<void> {
  await db
    .delete(savedViewMarks)
    .where(and(eq(savedViewMarks.viewId, viewId), ne(savedViewMarks.userId, userId)))
}

interface Marks {
  isDefault: boolean
  isPinned: boolean
}

/** A screen has one default per person: it is taken from the others. */
export async function storeMarks(
  db: Queryable,
  { view, userId }: { view: SavedViewRow; userId: string },
  marks: Marks,
): Promise<void> {
  if (marks.isDefault) {
    const ofScreen = db
      .select({ id: savedViews.id })
      .from(savedViews)
      .where(and(eq(savedViews.projectId, view.projectId), eq(savedViews.screen, view.screen)))
    await db
      .update(savedViewMarks)
      .set({ isDefault: false })
      .where(and(eq(savedViewMarks.userId, userId), inArray(savedViewMarks.viewId, ofScreen)))
  }
  await db
    .insert(savedViewMarks)
    .values({ viewId: view.id, userId, ...marks })
    .onConflictDoUpdate({ target: [savedViewMarks.viewId, savedViewMarks.userId], set: marks })
}
