import { change } from '../../platform/engines/postgres/change.ts'
import { type ReplayOf, sessionOf } from './keep-replay.ts'
import { deleteKept, findKept } from './queries.ts'

export const releaseReplay = change(async ({ db }, asked: ReplayOf) => {
  if ((await findKept(db, sessionOf(asked))) === undefined) return { reply: null, changes: [] }

  await deleteKept(db, sessionOf(asked))
  const { project, environment, session } = asked
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
