import type { Calls } from '@telltale/core/contract/calls'
import { emptyFilter } from '@telltale/core/query/filter'
import type { ProjectAccess } from '../../access/access.ts'
import type { Handlers } from '../../access/route.ts'
import { copyKept } from '../../intake/retention/copy-kept.ts'
import { ask } from '../../monitoring/explore/question.ts'
import { keepReplay } from '../../monitoring/replays/keep-replay.ts'
import { findSessionsById } from '../../monitoring/sessions/queries.ts'
import { toSession } from '../../monitoring/sessions/session.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { addToPlaylist, changeInPlaylist, removeFromPlaylist } from './change-sessions.ts'
import { createPlaylist } from './create-playlist.ts'
import { toPlaylist } from './playlist.ts'
import { findPlaylistSessions, findPlaylists, getPlaylist } from './queries.ts'
import { deletePlaylist, updatePlaylist } from './update-playlist.ts'

export const playlistRoutes: Handlers<Calls['playlists'], Services> = {
  listPlaylists: async ({ db }, { project, params, query }) => {
    const { environment } = await placeOf(db, { project, params })
    const found = await findPlaylists(db, { environmentId: environment.id, session: query.session })
    return { items: found.map(toPlaylist) }
  },
  createPlaylist: async ({ db }, { project, params, origin, body }) =>
    createPlaylist(db, origin, { ...(await placeOf(db, { project, params })), draft: body }),
  getPlaylist: async ({ db, telemetry, clock }, { project, params }) => {
    const { environment } = await placeOf(db, { project, params })
    const { id: environmentId, timeZone } = environment
    const playlist = await getPlaylist(db, { environmentId, id: params.playlist })
    const rows = await findPlaylistSessions(db, playlist.id)
    const question = ask(telemetry, { environmentId, timeZone, from: 0, to: 0, filter: emptyFilter })
    const found = await findSessionsById(
      question,
      rows.map(({ sessionId }) => sessionId),
    )
    const now = clock()
    const summaries = new Map(found.map((row) => [row.session_id, toSession(row, now)]))
    const items = rows.map(({ sessionId, note, addedBy, addedAt }) => ({
      session: sessionId,
      note,
      addedBy,
      addedAt: addedAt.toISOString(),
      summary: summaries.get(sessionId) ?? null,
    }))
    return { ...toPlaylist({ playlist, sessions: rows.length }), items }
  },
  updatePlaylist: async ({ db }, { project, params, origin, body }) =>
    updatePlaylist(db, origin, {
      ...(await placeOf(db, { project, params })),
      id: params.playlist,
      ...body,
    }),
  deletePlaylist: async ({ db }, { project, params, origin }) =>
    deletePlaylist(db, origin, { ...(await placeOf(db, { project, params })), id: params.playlist }),
  addToPlaylist: async ({ db, telemetry }, { project, params, origin, body }) => {
    const place = await placeOf(db, { project, params })
    const { sessions, note = '', position, keep = false } = body
    const reply = await addToPlaylist(db, origin, { ...place, id: params.playlist, sessions, note, position })
    if (keep) {
      // Copy first, so that a replay marked as kept has its copy.
      await copyKept(telemetry, place.environment.id, sessions)
      for (const session of sessions) {
        await keepReplay(db, origin, { ...place, session, reason: `In the playlist ${reply.name}.` })
      }
    }
    return reply
  },
  changeInPlaylist: async ({ db }, { project, params, origin, body }) =>
    changeInPlaylist(db, origin, {
      ...(await placeOf(db, { project, params })),
      id: params.playlist,
      session: params.session,
      position: body.position,
      note: body.note,
    }),
  removeFromPlaylist: async ({ db }, { project, params, origin }) =>
    removeFromPlaylist(db, origin, {
      ...(await placeOf(db, { project, params })),
      id: params.playlist,
      session: params.session,
    }),
}

interface Requested {
  project: ProjectAccess
  params: { env: string }
}

async function placeOf(db: Services['db'], { project, params }: Requested) {
  const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
  return { project: project.row, environment }
}
