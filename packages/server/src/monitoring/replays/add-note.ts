import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { change } from '../../platform/engines/postgres/change.ts'
import { replayNotes } from '../../platform/engines/postgres/replay-schema.ts'
import { toNote } from './get-replay.ts'
import { type ReplayOf, sessionOf } from './keep-replay.ts'
import { findNotes } from './queries.ts'

export const addNote = change(
  async ({ db, now, actor }, { at, text, ...replay }: ReplayOf & { at: Date; text: string }) => {
    if ((await findNotes(db, sessionOf(replay))).length >= limits.replayNotes) {
      throw problem('in-use', `A replay has at most ${limits.replayNotes} notes.`)
    }
    const row = { id: newId(), ...sessionOf(replay), at, text, author: actor.name, createdAt: now }
    await db.insert(replayNotes).values(row)
    const { project, environment, session } = replay
    return {
      reply: toNote(row),
      changes: [
        {
          action: 'replay-note.create',
          entity: { kind: 'replay-note', id: row.id, name: session },
          project,
          environment,
          after: { at: at.toISOString() },
        },
      ],
    }
  },
)
