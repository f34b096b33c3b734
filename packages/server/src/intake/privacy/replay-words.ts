// What members wrote about the recordings of a user: why a replay is kept, and notes. Deleted and exported with the
// user's other data.

import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { playlistSessions } from '../../platform/engines/postgres/playlist-schema.ts'
import { keptReplays, replayNotes } from '../../platform/engines/postgres/replay-schema.ts'

const sessionsAtOnce = 5_000

/** Returns the number of deleted rows by table. */
export async function deleteReplayWords(
  db: Queryable,
  environmentId: string,
  sessions: readonly string[],
): Promise<Record<string, number>> {
  let [kept, notes, listed] = [0, 0, 0]
  for (const some of inParts(sessions)) {
    const ofNotes = and(eq(replayNotes.environmentId, environmentId), inArray(replayNotes.sessionId, some))
    notes += (await db.delete(replayNotes).where(ofNotes).returning({ id: replayNotes.id })).length
    listed += await clearPlaylistNotes(db, environmentId, some)
    const ofKept = and(eq(keptReplays.environmentId, environmentId), inArray(keptReplays.sessionId, some))
    kept += (await db.delete(keptReplays).where(ofKept).returning({ id: keptReplays.sessionId })).length
  }
  return {
    ...(listed > 0 && { playlist_sessions: listed }),
    ...(notes > 0 && { replay_notes: notes }),
    ...(kept > 0 && { kept_replays: kept }),
  }
}

/** The session stays in the playlist as deleted, so that its members see why it is missing. */
async function clearPlaylistNotes(
  db: Queryable,
  environmentId: string,
  sessions: readonly string[],
): Promise<number> {
  const noted = and(
    eq(playlistSessions.environmentId, environmentId),
    inArray(playlistSessions.sessionId, [...sessions]),
    ne(playlistSessions.note, ''),
  )
  const cleared = await db.update(playlistSessions).set({ note: '' }).where(noted).returning({
    id: playlistSessions.sessionId,
  })
  return cleared.length
}

export const replayWords = ['kept_replays', 'replay_notes'] as const

interface WordsQuery {
  environmentId: string
  sessions: readonly string[]
  offset: number
  count: number
}

/** In a stable order. */
export async function findReplayWords(
  db: Queryable,
  table: (typeof replayWords)[number],
  { environmentId, sessions, offset, count }: WordsQuery,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for (const some of inParts(sessions)) {
    const left = offset + count - found.length
    if (left <= 0) break
    found.push(
      ...(table === 'kept_replays'
        ? await db
            .select()
            .from(keptReplays)
            .where(and(eq(keptReplays.environmentId, environmentId), inArray(keptReplays.sessionId, some)))
            .orderBy(asc(keptReplays.sessionId))
            .limit(left)
        : await db
            .select()
            .from(replayNotes)
            .where(and(eq(replayNotes.environmentId, environmentId), inArray(replayNotes.sessionId, some)))
            .orderBy(asc(replayNotes.sessionId), asc(replayNotes.id))
            .limit(left)),
    )
  }
  return found.slice(offset, offset + count)
}

function* inParts(sessions: readonly string[]): Generator<string[]> {
  for (let from = 0; from < sessions.length; from += sessionsAtOnce) {
    yield sessions.slice(from, from + sessionsAtOnce)
  }
}
