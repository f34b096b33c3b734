// Saved views: the parameters of a list or of Explore under a name. The address of a screen stays the truth: a view is
// a part of one.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Id, Instant, Name, Nothing, Nullable, Strict } from './parameters.ts'

/** Screens with views: the path below the project. */
export const viewScreens = [
  'flags',
  'rollouts',
  'segments',
  'identities',
  'change-requests',
  'scheduled-changes',
  'sessions',
  'errors',
  'pages',
  'profiles',
  'requests',
  'releases',
  'explore',
  'explore/funnel',
  'explore/retention',
  'explore/paths',
  'live',
  'settings/audit',
] as const
export type ViewScreen = (typeof viewScreens)[number]

const Screen = Type.Enum([...viewScreens], { description: 'The path of the screen below the project.' })
const Search = Type.String({
  maxLength: limits.savedViewLength,
  pattern: '^[^?#\\s]*$',
  description: 'The parameters of its address, encoded, without `?`.',
})
const Shared = Type.Boolean({ description: 'For every member of the project; otherwise for its owner only.' })

export const SavedView = Type.Object({
  id: Id,
  screen: Screen,
  name: Type.String(),
  search: Type.String(),
  shared: Shared,
  owner: Type.Object({ id: Nullable(Id), name: Type.String() }),
  isDefault: Type.Boolean({ description: 'Opened by the caller when the address has no parameters.' }),
  isPinned: Type.Boolean({ description: 'In the navigation of the caller.' }),
  createdAt: Instant,
  updatedAt: Instant,
})
export type SavedView = Static<typeof SavedView>

const list = '/api/v1/projects/:project/saved-views'
const sharing = 'Shared views need the permission to change flags.'

export const listSavedViews = call({
  method: 'GET',
  path: list,
  summary: 'List the shared views of a project and those of the caller, by screen and name.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(SavedView) }),
})

export const createSavedView = call({
  method: 'POST',
  path: list,
  summary: `Save a view. ${sharing}`,
  permission: 'project.view',
  idempotent: true,
  status: 201,
  body: Strict({ screen: Screen, name: Name, search: Search, shared: Shared }),
  reply: SavedView,
  errors: ['in-use'],
})

export const updateSavedView = call({
  method: 'PATCH',
  path: `${list}/:savedView`,
  summary: `Change a view. ${sharing}`,
  permission: 'project.view',
  body: Strict({
    name: Type.Optional(Name),
    search: Type.Optional(Search),
    shared: Type.Optional(Shared),
  }),
  reply: SavedView,
})

export const deleteSavedView = call({
  method: 'DELETE',
  path: `${list}/:savedView`,
  summary: `Delete a view. ${sharing}`,
  permission: 'project.view',
  status: 204,
  reply: Nothing,
})

export const markSavedView = call({
  method: 'PATCH',
  path: `${list}/:savedView/marks`,
  summary: 'Make a view the default of its screen for the caller, or pin it to their navigation.',
  permission: 'project.view',
  body: Strict({ isDefault: Type.Optional(Type.Boolean()), isPinned: Type.Optional(Type.Boolean()) }),
  reply: SavedView,
})

export const savedViewCalls = {
  listSavedViews,
  createSavedView,
  updateSavedView,
  deleteSavedView,
  markSavedView,
}
