import { change } from '../../platform/engines/postgres/change.ts'
import { keptReplays } from '../../platform/engines/postgres/replay-schema.ts'
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

/** The first request to keep it wins. */
export const keepReplay = change(
  async ({ db, now, actor }, { reason, ...replay }: ReplayOf & { reason: string }) => {
    const row = { ...sessionOf(replay), reason, keptAt: now, keptBy: actor.name }
    const inserted = await db.insert(keptReplays).values(row).onConflictDoNothing().returning()
    if (inserted.length === 0) {
      return { reply: toKept((await findKept(db, sessionOf(replay))) ?? row), changes: [] }
    }
    const { project, environment, session } = replay
    return {
      reply: toKept(row),
      changes: [
        {
          action: 'replay.keep',
          entity: { kind: 'replay', id: session, name: session },
          // Without the reason: it may contain personal data, and the audit log is permanent.
          project,
          environment,
        },
      ],
    }
  },
)
