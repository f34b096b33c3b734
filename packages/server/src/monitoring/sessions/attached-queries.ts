import { uuidLiteral } from '../../intake/retention/id-lists.ts'
import type { Question } from '../explore/question.ts'

/** What is kept of a session besides its events. */
export interface Attached {
  session_id: string
  /** Null without a recording. */
  recorded_from: string | null
  recorded_to: string | null
  is_kept: number
  profiles: string
}

/** For the sessions of a page; ids are inlined because URLs are limited. */
export async function findAttached(
  question: Question,
  sessions: readonly string[],
): Promise<Map<string, Attached>> {
  if (sessions.length === 0) return new Map()
  const own = `session_id IN (${sessions.map(uuidLiteral).join(', ')})`
  const recorded = (table: 'replay_segments' | 'replay_kept', kept: 0 | 1) =>
    `SELECT session_id, toUnixTimestamp64Milli(started) AS at, toUnixTimestamp64Milli(ended) AS until, ${kept} AS k, 1 AS r FROM ${question.rowsOf(table, own)}`
  const rows = await question.read<Attached>(
    `SELECT session_id, toString(minOrNullIf(at, r = 1)) AS recorded_from, toString(maxOrNullIf(until, r = 1)) AS recorded_to,
      max(k) AS is_kept, countIf(r = 0) AS profiles
    FROM (${recorded('replay_segments', 0)} UNION ALL ${recorded('replay_kept', 1)}
      UNION ALL SELECT session_id, 0 AS at, 0 AS until, 0 AS k, 0 AS r FROM ${question.rowsOf('profile_blobs', own)})
    GROUP BY session_id`,
  )
  return new Map(rows.map((row) => [row.session_id, row]))
}
