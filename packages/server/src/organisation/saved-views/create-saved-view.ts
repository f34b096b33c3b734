import type { ViewScreen } from '@telltale/core/contract/saved-views'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { ProjectRole } from '@telltale/core/permissions'
import { v7 as newId } from 'uuid'
import type { ProjectRow } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { savedViews } from '../../platform/engines/postgres/saved-view-schema.ts'
import { countSavedViews } from './queries.ts'
import { checkSharing, toSavedView, viewChanges } from './saved-view.ts'

export interface NewView {
  project: ProjectRow
  role: ProjectRole
  user: { id: string; name: string }
  draft: { screen: ViewScreen; name: string; search: string; shared: boolean }
}

export const createSavedView = change(async ({ db, now }, { project, role, user, draft }: NewView) => {
  checkSharing(role, draft.shared)
  const of = { projectId: project.id, userId: user.id, shared: draft.shared }
  if ((await countSavedViews(db, of)) >= limits.savedViews) {
    throw problem('in-use', `There are ${limits.savedViews} views already, the most there can be.`)
  }
  const view = {
    id: newId(),
    projectId: project.id,
    ...draft,
    ownerId: user.id,
    ownerName: user.name,
    createdAt: now,
    updatedAt: now,
  }
  await db.insert(savedViews).values(view)
  return {
    reply: toSavedView({ view, marks: null }),
    changes: viewChanges('create', { project, after: view }),
  }
})
