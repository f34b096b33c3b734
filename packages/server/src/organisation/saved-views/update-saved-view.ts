import { viewSearchOf } from '@telltale/core/query/view-search'
import type { Grant } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import type { ProjectRow } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { savedViews } from '../../platform/engines/postgres/saved-view-schema.ts'
import { deleteMarksOfOthers, getMarked, lockSavedView } from './queries.ts'
import { checkRoom, checkSharing, toSavedView, viewChanges } from './saved-view.ts'

export interface ViewRef {
  project: ProjectRow
  grant: Grant
  userId: string
  id: string
}

interface ViewUpdate extends ViewRef {
  name?: string | undefined
  search?: string | undefined
  shared?: boolean | undefined
}

/** A shared view that becomes personal belongs to the member who changed it. */
export const updateSavedView = change(
  async ({ db, now, actor }, { project, grant, userId, id, ...given }: ViewUpdate) => {
    const of = { projectId: project.id, userId }
    const before = await lockSavedView(db, of, id)
    checkSharing(grant, before.shared || given.shared === true)
    const shared = given.shared ?? before.shared
    if (shared !== before.shared) await checkRoom(db, { ...of, shared })
    const isTaken = before.shared && !shared && before.ownerId !== userId
    const after = {
      ...before,
      name: given.name ?? before.name,
      search: given.search === undefined ? before.search : viewSearchOf(given.search),
      shared,
      ...(isTaken ? { ownerId: userId, ownerName: actor.name } : {}),
      updatedAt: now,
    }
    await db.update(savedViews).set(after).where(eq(savedViews.id, id))
    if (before.shared && !shared) await deleteMarksOfOthers(db, id, userId)
    return {
      reply: toSavedView(await getMarked(db, of, id)),
      changes: viewChanges('update', { project, before, after }),
    }
  },
)
