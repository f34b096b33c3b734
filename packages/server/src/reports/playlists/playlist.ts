import type { Playlist } from '@telltale/core/contract/playlists'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { CountedPlaylist } from './queries.ts'

export interface PlaylistPlace {
  project: { id: string; key: string }
  environment: { id: string; key: string }
}

/** A playlist as the API returns it. */
export function toPlaylist({ playlist, sessions }: CountedPlaylist): Playlist {
  const { id, name, description, createdBy, createdAt, updatedAt } = playlist
  return {
    id,
    name,
    description,
    sessions,
    createdBy,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

/** Without the notes: they may contain personal data, and the audit log is permanent. */
const audited = ({ playlist: { name, description }, sessions }: CountedPlaylist) => ({
  name,
  description,
  sessions,
})

interface PlaylistChange extends PlaylistPlace {
  before?: CountedPlaylist
  after?: CountedPlaylist
}

export function playlistChange(
  action: 'create' | 'update' | 'delete',
  { project, environment, before, after }: PlaylistChange,
): EntityChange[] {
  const found = after ?? before
  if (found === undefined) return []
  const { id, name } = found.playlist
  return [
    {
      action: `playlist.${action}`,
      entity: { kind: 'playlist', id, name },
      project,
      environment,
      ...(before && { before: audited(before) }),
      ...(after && { after: audited(after) }),
    },
  ]
}
