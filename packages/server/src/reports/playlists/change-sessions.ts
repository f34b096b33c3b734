// Adds, moves and removes sessions of a playlist, whose row is locked meanwhile: the order is written as a whole.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { playlists } from '../../platform/engines/postgres/playlist-schema.ts'
import { playlistChange, toPlaylist } from './playlist.ts'
import {
  findPlaylistSessions,
  lockPlaylist,
  type PlaylistSessionRow,
  storePlaylistSessions,
} from './queries.ts'
import type { PlaylistOf } from './update-playlist.ts'

type Listed = Omit<PlaylistSessionRow, 'position'>

interface Arrangement extends PlaylistOf {
  now: Date
  /** The same list: nothing is to be changed. */
  arrange(rows: readonly Listed[]): readonly Listed[]
}

async function rearrange(db: Queryable, { id, project, environment, now, arrange }: Arrangement) {
  const playlist = await lockPlaylist(db, { environmentId: environment.id, id })
  const rows = await findPlaylistSessions(db, id)
  const before = { playlist, sessions: rows.length }
  const next = arrange(rows)
  if (next === rows) return { reply: toPlaylist(before), changes: [] }

  await storePlaylistSessions(db, id, next)
  await db.update(playlists).set({ updatedAt: now }).where(eq(playlists.id, id))
  const after = { playlist: { ...playlist, updatedAt: now }, sessions: next.length }
  return {
    reply: toPlaylist(after),
    changes: playlistChange('update', { project, environment, before, after }),
  }
}

interface Addition extends PlaylistOf {
  sessions: readonly string[]
  note: string
  position: number | undefined
}

export const addToPlaylist = change(async ({ db, now, actor }, addition: Addition) => {
  const { id, environment, sessions, note, position } = addition
  return rearrange(db, {
    ...addition,
    now,
    arrange(rows) {
      const known = new Set(rows.map(({ sessionId }) => sessionId))
      const added = sessions
        .filter((session) => !known.has(session))
        .map((sessionId) => ({
          ...{ playlistId: id, environmentId: environment.id, sessionId, note },
          ...{ addedBy: actor.name, addedAt: now },
        }))
      if (added.length === 0) return rows
      if (rows.length + added.length > limits.playlistSessions) {
        throw problem('in-use', `A playlist has at most ${limits.playlistSessions} sessions.`)
      }
      return rows.toSpliced(position ?? rows.length, 0, ...added)
    },
  })
})

interface Move extends PlaylistOf {
  session: string
  position: number | undefined
  note: string | undefined
}

export const changeInPlaylist = change(async ({ db, now }, move: Move) =>
  rearrange(db, {
    ...move,
    now,
    arrange(rows) {
      const [from, row] = placeOf(rows, move.session)
      const to = Math.min(move.position ?? from, rows.length - 1)
      const note = move.note ?? row.note
      if (to === from && note === row.note) return rows
      return rows.toSpliced(from, 1).toSpliced(to, 0, { ...row, note })
    },
  }),
)

export const removeFromPlaylist = change(async ({ db, now }, removal: PlaylistOf & { session: string }) => {
  const { changes } = await rearrange(db, {
    ...removal,
    now,
    arrange: (rows) => rows.toSpliced(placeOf(rows, removal.session)[0], 1),
  })
  return { reply: null, changes }
})

function placeOf(rows: readonly Listed[], session: string): [place: number, row: Listed] {
  const place = rows.findIndex(({ sessionId }) => sessionId === session)
  const row = rows[place]
  if (row === undefined) throw problem('not-found', 'The session is not in the playlist.')
  return [place, row]
}
