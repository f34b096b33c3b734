import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { rowsOf } from './find-past.ts'
import { listsOf, uuidLiteral } from './id-lists.ts'

const columns =
  'environment_id, day, session_id, tab_id, seq, segment_id, view_id, user_hash, started, ended, format, enc, records, full_snapshot, bytes, assets, body'

/**
 * On a cluster: waits for the shards, because the originals are removed later, and lets one server run the statement,
 * because the others do not know its tables without their database.
 */
const settings = 'distributed_foreground_insert=1, parallel_distributed_insert_select=0'

/** Copies what has no copy yet to tables without retention. */
export async function copyKept(
  telemetry: Pick<Telemetry, 'command'>,
  environmentId: string,
  sessions: readonly string[],
): Promise<void> {
  for (const list of listsOf(sessions, uuidLiteral)) {
    const rows = `${rowsOf(environmentId)} AND session_id IN (${list})`
    await telemetry.command(
      `INSERT INTO replay_kept (${columns}) SETTINGS ${settings} SELECT ${columns} FROM replay_segments WHERE ${rows}
        AND (session_id, tab_id, seq) GLOBAL NOT IN (SELECT session_id, tab_id, seq FROM replay_kept WHERE ${rows})`,
    )
  }
}

export async function deleteCopies(
  telemetry: Pick<Telemetry, 'remove'>,
  { environmentId, sessionId }: { environmentId: string; sessionId: string },
): Promise<void> {
  const rows = `${rowsOf(environmentId)} AND session_id = ${uuidLiteral(sessionId)}`
  await telemetry.remove({ rows, table: 'replay_kept' })
}
