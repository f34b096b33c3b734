// Applies members' decisions about replays before an environment's data is deleted: parts that arrived after a replay
// was kept are copied too, and notes are deleted with their recording.

import { and, eq, lt, notInArray, or } from 'drizzle-orm'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { keptReplays, replayNotes } from '../../platform/engines/postgres/replay-schema.ts'
import { copyKept, deleteCopies } from './copy-kept.ts'

interface Surroundings {
  db: Db
  telemetry: Pick<Telemetry, 'command' | 'remove'>
}

/** `past`: recordings before it are deleted unless they are kept. */
export async function tidyReplays(
  { db, telemetry }: Surroundings,
  { environmentId, past }: { environmentId: string; past: number },
): Promise<void> {
  const kept = await findKeptSessions(db, environmentId)
  if (kept.length > 0) await copyKept(telemetry, environmentId, kept)
  // A replay that was released meanwhile may have got new copies.
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

/** A note is never older than its recording. */
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
