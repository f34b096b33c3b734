import { change } from '../../platform/engines/postgres/change.ts'
import { type ReplayOf, sessionOf } from './keep-replay.ts'
import { deleteKept, findKept } from './queries.ts'

export const releaseReplay = change(async ({ db }, replay: ReplayOf) => {
  if ((await findKept(db, sessionOf(replay))) === undefined) return { reply: null, changes: [] }

  await deleteKept(db, sessionOf(replay))
  const { project, environment, session } = replay
  return {
    reply: null,
    changes: [
      {
        action: 'replay.release',
        entity: { kind: 'replay', id: session, name: session },
        project,
        environment,
      },
    ],
  }
})
