import type { SavedView } from '@telltale/core/contract/saved-views'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type Grant, mayInProject } from '@telltale/core/rights'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { countSavedViews, type MarkedView, type SavedViewRow, type ViewsOf } from './queries.ts'

/** A saved view as the API returns it. */
export function toSavedView({ view, marks }: MarkedView): SavedView {
  return {
    id: view.id,
    screen: view.screen,
    name: view.name,
    search: view.search,
    shared: view.shared,
    owner: { id: view.ownerId, name: view.ownerName },
    isDefault: marks?.isDefault ?? false,
    isPinned: marks?.isPinned ?? false,
    createdAt: view.createdAt.toISOString(),
    updatedAt: view.updatedAt.toISOString(),
  }
}

/** Personal views need no permission. */
export function checkSharing(grant: Grant, isShared: boolean): void {
  const permission = 'flags.change'
  if (!isShared || mayInProject(grant, permission)) return
  throw problem('forbidden', { detail: `Shared views need ${permission} in the project.`, permission })
}

/** Throws `in-use` when there are as many as there can be. */
export async function checkRoom(db: Queryable, of: ViewsOf & { shared: boolean }): Promise<void> {
  if ((await countSavedViews(db, of)) < limits.savedViews) return
  throw problem('in-use', `There are ${limits.savedViews} views already, the most there can be.`)
}

interface ViewChange {
  project: { id: string; key: string }
  before?: SavedViewRow
  after?: SavedViewRow
}

const audited = ({ screen, name, search, shared }: SavedViewRow) => ({ screen, name, search, shared })

/** Personal views are not in the audit log: they concern one person. */
export function viewChanges(
  action: 'create' | 'update' | 'delete',
  { project, before, after }: ViewChange,
): EntityChange[] {
  const row = after ?? before
  if (row === undefined || !(before?.shared || after?.shared)) return []
  return [
    {
      action: `saved-view.${action}`,
      entity: { kind: 'saved-view', id: row.id, name: row.name },
      project,
      ...(before && { before: audited(before) }),
      ...(after && { after: audited(after) }),
    },
  ]
}
