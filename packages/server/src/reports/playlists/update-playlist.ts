import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { playlists } from '../../platform/engines/postgres/playlist-schema.ts'
import { type PlaylistPlace, playlistChange, toPlaylist } from './playlist.ts'
import { checkName, findPlaylistSessions, lockPlaylist } from './queries.ts'

export interface PlaylistOf extends PlaylistPlace {
  id: string
}

interface Renaming extends PlaylistOf {
  name?: string | undefined
  description?: string | undefined
}

export const updatePlaylist = change(
  async ({ db, now }, { id, project, environment, name, description }: Renaming) => {
    const playlist = await lockPlaylist(db, { environmentId: environment.id, id })
    const { length: sessions } = await findPlaylistSessions(db, id)
    const before = { playlist, sessions }
    const changed = {
      name: name ?? playlist.name,
      description: description ?? playlist.description,
    }
    if (changed.name === playlist.name && changed.description === playlist.description) {
      return { reply: toPlaylist(before), changes: [] }
    }
    await checkName(db, { environmentId: environment.id, id, name: changed.name })
    await db
      .update(playlists)
      .set({ ...changed, updatedAt: now })
      .where(eq(playlists.id, id))
    const after = { playlist: { ...playlist, ...changed, updatedAt: now }, sessions }
    return {
      reply: toPlaylist(after),
      changes: playlistChange('update', { project, environment, before, after }),
    }
  },
)

export const deletePlaylist = change(async ({ db }, { id, project, environment }: PlaylistOf) => {
  const playlist = await lockPlaylist(db, { environmentId: environment.id, id })
  const { length: sessions } = await findPlaylistSessions(db, id)
  await db.delete(playlists).where(eq(playlists.id, id))
  const before = { playlist, sessions }
  return { reply: null, changes: playlistChange('delete', { project, environment, before }) }
})
