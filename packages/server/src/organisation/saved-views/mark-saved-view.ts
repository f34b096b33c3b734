import { change } from '../../platform/engines/postgres/change.ts'
import { getMarked, lockSavedView, storeMarks } from './queries.ts'
import { toSavedView } from './saved-view.ts'
import type { ViewRef } from './update-saved-view.ts'

interface ViewMarks extends Omit<ViewRef, 'grant'> {
  isDefault?: boolean | undefined
  isPinned?: boolean | undefined
}

/** Of one person, so not in the audit log. */
export const markSavedView = change(async ({ db }, { project, userId, id, ...given }: ViewMarks) => {
  const of = { projectId: project.id, userId }
  const view = await lockSavedView(db, of, id)
  const { marks } = await getMarked(db, of, id)
  await storeMarks(
    db,
    { view, userId },
    {
      isDefault: given.isDefault ?? marks?.isDefault ?? false,
      isPinned: given.isPinned ?? marks?.isPinned ?? false,
    },
  )
  return { reply: toSavedView(await getMarked(db, of, id)), changes: [] }
})
