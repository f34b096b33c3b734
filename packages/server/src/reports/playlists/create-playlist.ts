import type { BodyOf } from '@telltale/core/contract/call'
import type { createPlaylist as createPlaylistCall } from '@telltale/core/contract/playlists'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import { playlists } from '../../platform/engines/postgres/playlist-schema.ts'
import { type PlaylistPlace, playlistChange, toPlaylist } from './playlist.ts'
import { checkName, countPlaylists, lockEnvironmentById, storePlaylistSessions } from './queries.ts'

interface NewPlaylist extends PlaylistPlace {
  draft: BodyOf<typeof createPlaylistCall>
}

export const createPlaylist = change(
  async ({ db, now, actor }, { draft, project, environment }: NewPlaylist) => {
    const environmentId = environment.id
    const { name, description = '', sessions = [] } = draft
    const playlist = {
      id: newId(),
      environmentId,
      name,
      description,
      createdBy: actor.name,
      createdAt: now,
      updatedAt: now,
    }
    await lockEnvironmentById(db, environmentId)
    await checkName(db, playlist)
    if ((await countPlaylists(db, environmentId)) >= limits.playlists) {
      throw problem('in-use', `There are ${limits.playlists} playlists already, the most there can be.`)
    }
    await db.insert(playlists).values(playlist)
    const first = new Map(sessions.map((one) => [one.session, one.note ?? '']))
    const rows = [...first].map(([sessionId, note]) => ({
      ...{ playlistId: playlist.id, sessionId, environmentId, note },
      ...{ addedBy: actor.name, addedAt: now },
    }))
    await storePlaylistSessions(db, playlist.id, rows)
    const after = { playlist, sessions: rows.length }
    return { reply: toPlaylist(after), changes: playlistChange('create', { project, environment, after }) }
  },
)
