import type { ViewScreen } from '@telltale/core/contract/saved-views'
import { viewSearchOf } from '@telltale/core/query/view-search'
import type { Grant } from '@telltale/core/rights'
import { v7 as newId } from 'uuid'
import type { ProjectRow } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { savedViews } from '../../platform/engines/postgres/saved-view-schema.ts'
import { checkRoom, checkSharing, toSavedView, viewChanges } from './saved-view.ts'

export interface NewView {
  project: ProjectRow
  grant: Grant
  user: { id: string; name: string }
  draft: { screen: ViewScreen; name: string; search: string; shared: boolean }
}

export const createSavedView = change(async ({ db, now }, { project, grant, user, draft }: NewView) => {
  checkSharing(grant, draft.shared)
  await checkRoom(db, { projectId: project.id, userId: user.id, shared: draft.shared })
  const view = {
    id: newId(),
    projectId: project.id,
    ...draft,
    search: viewSearchOf(draft.search),
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
