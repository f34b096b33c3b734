import { change } from '../engines/postgres/change.ts'
import { keptReplays } from '../engines/postgres/replay-schema.ts'
import { toKept } from './get-replay.ts'
import { findKept } from './queries.ts'

export interface ReplayOf {
  project: { id: string; key: string }
  environment: { id: string; key: string }
  session: string
}

export const sessionOf = ({ environment, session }: ReplayOf) => ({
  environmentId: environment.id,
  sessionId: session,
})

/** Whoever keeps it first has kept it. */
export const keepReplay = change(
  async ({ db, now, actor }, { reason, ...asked }: ReplayOf & { reason: string }) => {
    const before = await findKept(db, sessionOf(asked))
    if (before !== undefined) return { reply: toKept(before), changes: [] }

    const row = { ...sessionOf(asked), reason, keptAt: now, keptBy: actor.name }
    await db.insert(keptReplays).values(row)
    const { project, environment, session } = asked
    return {
      reply: toKept(row),
      changes: [
        {
          action: 'replay.keep',
          entity: { kind: 'replay', id: session, name: session },
          ...{ project, environment, after: { reason } },
        },
      ],
    }
  },
)
