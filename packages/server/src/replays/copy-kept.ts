import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import type { SessionRef } from './queries.ts'

const columns =
  'environment_id, day, session_id, tab_id, seq, segment_id, view_id, user_hash, started, ended, format, enc, records, full_snapshot, bytes, assets, body'
const aUuid = /^[0-9a-f-]{36}$/i

const whereOf = ({ environmentId, sessionId }: SessionRef) => {
  if (!aUuid.test(environmentId) || !aUuid.test(sessionId)) throw new Error('a session is named by two ids')
  return `environment_id = '${environmentId}' AND session_id = '${sessionId}'`
}

/** Copies what there is of a session to where no retention reaches it. To copy twice does no harm. */
export async function copyKept(telemetry: Pick<Telemetry, 'command'>, session: SessionRef): Promise<void> {
  await telemetry.command(
    `INSERT INTO replay_kept (${columns}) SELECT ${columns} FROM replay_segments WHERE ${whereOf(session)}`,
  )
}

export async function deleteCopies(
  telemetry: Pick<Telemetry, 'command'>,
  session: SessionRef,
): Promise<void> {
  await telemetry.command(`DELETE FROM replay_kept WHERE ${whereOf(session)}`)
}
