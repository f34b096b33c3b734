import { change } from '../../platform/engines/postgres/change.ts'
import { getMarked, lockSavedView, storeMarks } from './queries.ts'
import { toSavedView } from './saved-view.ts'
import type { ViewRef } from './update-saved-view.ts'

interface ViewMarks extends Omit<ViewRef, 'role'> {
  isDefault: boolean
  isPinned: boolean
}

/** Of one person, so not in the audit log. */
export const markSavedView = change(async ({ db }, { project, userId, id, ...marks }: ViewMarks) => {
  const of = { projectId: project.id, userId }
  const view = await lockSavedView(db, of, id)
  await storeMarks(db, { view, userId }, marks)
  return { reply: toSavedView(await getMarked(db, of, id)), changes: [] }
})
