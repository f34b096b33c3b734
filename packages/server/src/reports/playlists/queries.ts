import { problem } from '@telltale/core/errors'
import { and, asc, count, eq, inArray } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { playlistSessions, playlists } from '../../platform/engines/postgres/playlist-schema.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'

export type PlaylistRow = typeof playlists.$inferSelect
export type PlaylistSessionRow = typeof playlistSessions.$inferSelect

export interface CountedPlaylist {
  playlist: PlaylistRow
  sessions: number
}

interface PlaylistRef {
  environmentId: string
  id: string
}

/** By name. With `session`: those that contain it. */
export async function findPlaylists(
  db: Queryable,
  { environmentId, session }: { environmentId: string; session: string | undefined },
): Promise<CountedPlaylist[]> {
  const containing = db
    .select({ id: playlistSessions.playlistId })
    .from(playlistSessions)
    .where(eq(playlistSessions.sessionId, session ?? ''))
  return db
    .select({ playlist: playlists, sessions: count(playlistSessions.sessionId) })
    .from(playlists)
    .leftJoin(playlistSessions, eq(playlistSessions.playlistId, playlists.id))
    .where(
      and(
        eq(playlists.environmentId, environmentId),
        session === undefined ? undefined : inArray(playlists.id, containing),
      ),
    )
    .groupBy(playlists.id)
    .orderBy(asc(playlists.name), asc(playlists.id))
}

const ofRef = ({ environmentId, id }: PlaylistRef) =>
  and(eq(playlists.environmentId, environmentId), eq(playlists.id, id))

/** Throws `not-found`. */
export async function getPlaylist(db: Queryable, ref: PlaylistRef): Promise<PlaylistRow> {
  const [row] = await db.select().from(playlists).where(ofRef(ref))
  if (row === undefined) throw noPlaylist()
  return row
}

/** Locked until the transaction ends, and with it the order of its sessions. Throws `not-found`. */
export async function lockPlaylist(db: Queryable, ref: PlaylistRef): Promise<PlaylistRow> {
  const [row] = await db.select().from(playlists).where(ofRef(ref)).for('update')
  if (row === undefined) throw noPlaylist()
  return row
}

const noPlaylist = () => problem('not-found', 'There is no such playlist in the environment.')

/** In order. */
export async function findPlaylistSessions(db: Queryable, playlistId: string): Promise<PlaylistSessionRow[]> {
  return db
    .select()
    .from(playlistSessions)
    .where(eq(playlistSessions.playlistId, playlistId))
    .orderBy(asc(playlistSessions.position), asc(playlistSessions.sessionId))
}

/** Replaces the sessions by these in their order. */
export async function storePlaylistSessions(
  db: Queryable,
  playlistId: string,
  rows: readonly Omit<PlaylistSessionRow, 'position'>[],
): Promise<void> {
  await db.delete(playlistSessions).where(eq(playlistSessions.playlistId, playlistId))
  if (rows.length === 0) return
  await db.insert(playlistSessions).values(rows.map((row, position) => ({ ...row, position })))
}

/** Throws `already-exists` for the name of another playlist of the environment. */
export async function checkName(
  db: Queryable,
  { environmentId, id, name }: PlaylistRef & { name: string },
): Promise<void> {
  const named = await db
    .select({ id: playlists.id })
    .from(playlists)
    .where(and(eq(playlists.environmentId, environmentId), eq(playlists.name, name)))
  if (named.some((one) => one.id !== id)) {
    throw problem('already-exists', `There is a playlist named ${name} already.`)
  }
}

/** One creation at a time, so that names and the limit hold. */
export async function lockEnvironmentById(db: Queryable, id: string): Promise<void> {
  await db.select({ id: environments.id }).from(environments).where(eq(environments.id, id)).for('update')
}

export async function countPlaylists(db: Queryable, environmentId: string): Promise<number> {
  return db.$count(playlists, eq(playlists.environmentId, environmentId))
}
