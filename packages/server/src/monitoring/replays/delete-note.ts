import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { replayNotes } from '../../platform/engines/postgres/replay-schema.ts'
import { type ReplayOf, sessionOf } from './keep-replay.ts'
import { getNote } from './queries.ts'

export const deleteNote = change(async ({ db }, { id, ...replay }: ReplayOf & { id: string }) => {
  const { at } = await getNote(db, sessionOf(replay), id)
  await db.delete(replayNotes).where(eq(replayNotes.id, id))
  const { project, environment, session } = replay
  return {
    reply: null,
    changes: [
      {
        action: 'replay-note.delete',
        entity: { kind: 'replay-note', id, name: session },
        project,
        environment,
        before: { at: at.toISOString() },
      },
    ],
  }
})
