// Playlists: named sessions of an environment in an order, to watch one after the other.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Id, Instant, Name, Nothing, Nullable, Strict } from './parameters.ts'
import { SessionSummary } from './sessions.ts'

const Description = Type.String({ maxLength: limits.descriptionLength })
const Note = Type.String({ maxLength: limits.descriptionLength, description: 'Why it is in the playlist.' })

export const Playlist = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  sessions: Count,
  createdBy: Type.String(),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Playlist = Static<typeof Playlist>

const PlaylistSession = Type.Object({
  session: Id,
  note: Type.String(),
  addedBy: Type.String(),
  addedAt: Instant,
  summary: Nullable(SessionSummary),
})

const list = '/api/v1/projects/:project/environments/:env/playlists'
const one = `${list}/:playlist` as const
const added = { minItems: 1, maxItems: limits.playlistSessions, uniqueItems: true }

export const listPlaylists = call({
  method: 'GET',
  path: list,
  summary: 'List the playlists of an environment by name.',
  permission: 'replays.view',
  query: Strict({
    session: Type.Optional(Type.String({ format: 'uuid', description: 'Only playlists that contain it.' })),
  }),
  reply: Type.Object({ items: Type.Array(Playlist) }),
})

export const createPlaylist = call({
  method: 'POST',
  path: list,
  summary: 'Create a playlist.',
  permission: 'replays.keep',
  idempotent: true,
  status: 201,
  body: Strict({
    name: Name,
    description: Type.Optional(Description),
    sessions: Type.Optional(
      Type.Array(Strict({ session: Id, note: Type.Optional(Note) }), {
        maxItems: limits.playlistSessions,
        description: 'Its sessions from the start, in order.',
      }),
    ),
  }),
  reply: Playlist,
  errors: ['already-exists', 'in-use'],
})

export const getPlaylist = call({
  method: 'GET',
  path: one,
  summary:
    'Show a playlist with its sessions in order. `summary` is null for a session whose data were deleted.',
  permission: 'replays.view',
  reply: Type.Object({ ...Playlist.properties, items: Type.Array(PlaylistSession) }),
  errors: ['query-too-large'],
})

export const updatePlaylist = call({
  method: 'PATCH',
  path: one,
  summary: 'Change the name or the description of a playlist.',
  permission: 'replays.keep',
  body: Strict({ name: Type.Optional(Name), description: Type.Optional(Description) }),
  reply: Playlist,
  errors: ['already-exists'],
})

export const deletePlaylist = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a playlist. Its sessions stay.',
  permission: 'replays.keep',
  status: 204,
  reply: Nothing,
})

export const addToPlaylist = call({
  method: 'POST',
  path: `${one}/sessions`,
  summary: 'Add sessions to a playlist. Those that it contains already stay where they are.',
  permission: 'replays.keep',
  body: Strict({
    sessions: Type.Array(Id, added),
    note: Type.Optional(Note),
    position: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Where the first one goes, from 0. Default: at the end.' }),
    ),
    keep: Type.Optional(Type.Boolean({ description: 'Keep their replays past retention.' })),
  }),
  reply: Playlist,
  errors: ['in-use'],
})

export const changeInPlaylist = call({
  method: 'PATCH',
  path: `${one}/sessions/:session`,
  summary: 'Move a session within a playlist, or change its note.',
  permission: 'replays.keep',
  body: Strict({
    position: Type.Optional(Type.Integer({ minimum: 0, description: 'Its new place, from 0.' })),
    note: Type.Optional(Note),
  }),
  reply: Playlist,
})

export const removeFromPlaylist = call({
  method: 'DELETE',
  path: `${one}/sessions/:session`,
  summary: 'Remove a session from a playlist.',
  permission: 'replays.keep',
  status: 204,
  reply: Nothing,
})

export const playlistCalls = {
  listPlaylists,
  createPlaylist,
  getPlaylist,
  updatePlaylist,
  deletePlaylist,
  addToPlaylist,
  changeInPlaylist,
  removeFromPlaylist,
}
