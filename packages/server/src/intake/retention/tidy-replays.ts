// What people decided about replays, seen to before anything of an environment goes: parts that came after a replay was kept
// are copied too, and notes go with the recording that they were about.

import { and, eq, lt, notInArray, or } from 'drizzle-orm'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { keptReplays, replayNotes } from '../../platform/engines/postgres/replay-schema.ts'
import { copyKept, deleteCopies } from './copy-kept.ts'

interface Surroundings {
  db: Db
  telemetry: Pick<Telemetry, 'command' | 'remove'>
}

/** `past`: recordings before it go unless they are kept. */
export async function tidyReplays(
  { db, telemetry }: Surroundings,
  { environmentId, past }: { environmentId: string; past: number },
): Promise<void> {
  const kept = await findKeptSessions(db, environmentId)
  if (kept.length > 0) await copyKept(telemetry, environmentId, kept)
  // One that was let go of meanwhile may have got copies again.
  const still = new Set(kept.length > 0 ? await findKeptSessions(db, environmentId) : [])
  for (const sessionId of kept.filter((session) => !still.has(session))) {
    await deleteCopies(telemetry, { environmentId, sessionId })
  }
  await deletePastNotes(db, environmentId, new Date(past))
}

async function findKeptSessions(db: Queryable, environmentId: string): Promise<string[]> {
  const rows = await db
    .select({ session: keptReplays.sessionId })
    .from(keptReplays)
    .where(eq(keptReplays.environmentId, environmentId))
  return rows.map(({ session }) => session)
}

/** Nobody writes a note before there is a recording. */
async function deletePastNotes(db: Queryable, environmentId: string, past: Date): Promise<void> {
  const kept = db
    .select({ session: keptReplays.sessionId })
    .from(keptReplays)
    .where(eq(keptReplays.environmentId, environmentId))
  await db
    .delete(replayNotes)
    .where(
      and(
        eq(replayNotes.environmentId, environmentId),
        or(lt(replayNotes.at, past), lt(replayNotes.createdAt, past)),
        notInArray(replayNotes.sessionId, kept),
      ),
    )
}
