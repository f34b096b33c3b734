import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { savedViews } from '../../platform/engines/postgres/saved-view-schema.ts'
import { lockSavedView } from './queries.ts'
import { checkSharing, viewChanges } from './saved-view.ts'
import type { ViewRef } from './update-saved-view.ts'

export const deleteSavedView = change(async ({ db }, { project, grant, userId, id }: ViewRef) => {
  const before = await lockSavedView(db, { projectId: project.id, userId }, id)
  checkSharing(grant, before.shared)
  await db.delete(savedViews).where(eq(savedViews.id, id))
  return { reply: null, changes: viewChanges('delete', { project, before }) }
})
