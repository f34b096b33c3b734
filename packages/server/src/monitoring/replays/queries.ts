import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { keptReplays, replayNotes } from '../../platform/engines/postgres/replay-schema.ts'
import { flags } from '../../platform/engines/postgres/schema.ts'
import type { Question } from '../explore/question.ts'

/** A session of an environment. */
interface SessionRef {
  environmentId: string
  sessionId: string
}

export interface SegmentRow {
  tab_id: string
  seq: number
  view_id: string
  started_at: string
  ended_at: string
  records: number
  full_snapshot: number
  bytes: number
  assets: string[]
}

/** Kept replays are copies, so each segment is read from whichever table still has it. */
export async function findSegments(question: Question, session: string): Promise<SegmentRow[]> {
  const ofSession = `session_id = ${question.bind(session, 'UUID')}`
  const columns = `tab_id, seq, any(view_id) AS view_id_, any(started) AS started_, any(ended) AS ended_, any(records) AS records_,
    any(full_snapshot) AS full_, any(bytes) AS bytes_, any(assets) AS assets_`
  const plain = (table: 'replay_segments' | 'replay_kept') =>
    `SELECT tab_id, seq, view_id, started, ended, records, full_snapshot, bytes, assets FROM ${question.rowsOf(table, ofSession)}`
  return question.read<SegmentRow>(
    `SELECT tab_id, seq, view_id_ AS view_id, toString(toUnixTimestamp64Milli(started_)) AS started_at,
      toString(toUnixTimestamp64Milli(ended_)) AS ended_at, records_ AS records, full_ AS full_snapshot, bytes_ AS bytes,
      assets_ AS assets
    FROM (SELECT ${columns} FROM (${plain('replay_segments')} UNION ALL ${plain('replay_kept')}) GROUP BY tab_id, seq)
    ORDER BY tab_id, seq LIMIT ${limits.replaySegmentsListed + 1}`,
  )
}

export interface SegmentBody {
  seq: number
  started_at: string
  ended_at: string
  records: number
  full_snapshot: number
  format: string
  body: string
}

export interface SegmentRange {
  session: string
  tab: string
  from: number
  to: number
}

/** Sizes of the segments of a range, to determine how many fit into one response. */
export async function findSizes(
  question: Question,
  range: SegmentRange,
): Promise<{ seq: number; bytes: number; format: string }[]> {
  const conditions = inRange(question, range)
  const columns = 'seq, bytes AS size, format AS form'
  return question.read(
    `SELECT seq, max(size) AS bytes, any(form) AS format FROM (SELECT ${columns} FROM ${question.rowsOf('replay_segments', ...conditions)}
      UNION ALL SELECT ${columns} FROM ${question.rowsOf('replay_kept', ...conditions)})
    GROUP BY seq ORDER BY seq LIMIT ${limits.replaySegmentsRead + 1}`,
  )
}

/** The last segment of a range that starts with a full snapshot. */
export async function findBeginning(question: Question, range: SegmentRange): Promise<number | undefined> {
  const conditions = [...inRange(question, range), 'full_snapshot = 1']
  const [found] = await question.read<{ seq: number }>(
    `SELECT max(seq) AS seq FROM (SELECT seq FROM ${question.rowsOf('replay_segments', ...conditions)}
      UNION ALL SELECT seq FROM ${question.rowsOf('replay_kept', ...conditions)}) HAVING count() > 0`,
  )
  return found?.seq
}

export async function readBodies(question: Question, range: SegmentRange): Promise<SegmentBody[]> {
  const conditions = inRange(question, range)
  const columns = 'seq, started, ended, records, full_snapshot, format, body'
  return question.read<SegmentBody>(
    `SELECT seq, toString(toUnixTimestamp64Milli(any(started))) AS started_at, toString(toUnixTimestamp64Milli(any(ended))) AS ended_at,
      any(records) AS records, any(full_snapshot) AS full_snapshot, any(format) AS format, base64Encode(any(body)) AS body
    FROM (SELECT ${columns} FROM ${question.rowsOf('replay_segments', ...conditions)}
      UNION ALL SELECT ${columns} FROM ${question.rowsOf('replay_kept', ...conditions)})
    GROUP BY seq ORDER BY seq LIMIT ${limits.replaySegmentsRead}`,
  )
}

function inRange(question: Question, { session, tab, from, to }: SegmentRange): string[] {
  return [
    `session_id = ${question.bind(session, 'UUID')}`,
    `tab_id = ${question.bind(tab, 'UUID')}`,
    `seq >= ${question.bind(from, 'UInt32')}`,
    `seq <= ${question.bind(to, 'UInt32')}`,
  ]
}

export async function findAsset(
  question: Question,
  hash: string,
): Promise<{ mime: string; body: string } | undefined> {
  const [found] = await question.read<{ mime: string; body: string }>(
    `SELECT any(mime) AS mime, base64Encode(any(body)) AS body
    FROM ${question.rowsOf('replay_assets', `hash = ${question.bind(hash, 'UUID')}`)} GROUP BY hash LIMIT 1`,
  )
  return found
}

/** Whether a segment of the session uses it. */
export async function hasAsset(question: Question, session: string, hash: string): Promise<boolean> {
  const uses = [
    `session_id = ${question.bind(session, 'UUID')}`,
    `has(assets, ${question.bind(hash, 'UUID')})`,
  ]
  const found = await question.read(
    `SELECT 1 FROM (SELECT seq FROM ${question.rowsOf('replay_segments', ...uses)}
      UNION ALL SELECT seq FROM ${question.rowsOf('replay_kept', ...uses)}) LIMIT 1`,
  )
  return found.length > 0
}

export type KeptReplay = typeof keptReplays.$inferSelect
export type ReplayNoteRow = typeof replayNotes.$inferSelect

const ofKept = ({ environmentId, sessionId }: SessionRef) =>
  and(eq(keptReplays.environmentId, environmentId), eq(keptReplays.sessionId, sessionId))

export async function findKept(db: Queryable, session: SessionRef): Promise<KeptReplay | undefined> {
  const [row] = await db.select().from(keptReplays).where(ofKept(session))
  return row
}

export async function deleteKept(db: Queryable, session: SessionRef): Promise<void> {
  await db.delete(keptReplays).where(ofKept(session))
}

const ofNotes = ({ environmentId, sessionId }: SessionRef) =>
  and(eq(replayNotes.environmentId, environmentId), eq(replayNotes.sessionId, sessionId))

export async function findNotes(db: Queryable, session: SessionRef): Promise<ReplayNoteRow[]> {
  return db
    .select()
    .from(replayNotes)
    .where(ofNotes(session))
    .orderBy(asc(replayNotes.at), asc(replayNotes.id))
    .limit(limits.replayNotes)
}

/** Throws `not-found`. */
export async function getNote(db: Queryable, session: SessionRef, id: string): Promise<ReplayNoteRow> {
  const [row] = await db
    .select()
    .from(replayNotes)
    .where(and(ofNotes(session), eq(replayNotes.id, id)))
  if (!row) throw problem('not-found', 'There is no such note on this replay.')
  return row
}

/** Flags that browsers get, with the values of their variations. */
export async function findFlagValues(db: Queryable, projectId: string, keys: readonly string[]) {
  if (keys.length === 0) return []
  return db
    .select({ key: flags.key, variations: flags.variations })
    .from(flags)
    .where(
      and(
        eq(flags.projectId, projectId),
        inArray(flags.key, [...keys]),
        eq(flags.clientVisible, true),
        isNull(flags.archivedAt),
      ),
    )
    .orderBy(asc(flags.key))
}
