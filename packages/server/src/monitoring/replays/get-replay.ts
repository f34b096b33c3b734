import type { ReplyOf } from '@telltale/core/contract/call'
import type { getReplay as getReplayCall } from '@telltale/core/contract/replays'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Question } from '../explore/question.ts'
import { describeTabs, toInstant } from './describe-tabs.ts'
import { findKept, findNotes, findSegments, type KeptReplay, type ReplayNoteRow } from './queries.ts'

type Reply = ReplyOf<typeof getReplayCall>

interface ReplayQuery {
  session: string
  retentionDays: number
  now: Date
}

export async function getReplay(
  db: Queryable,
  question: Question,
  { session, retentionDays, now }: ReplayQuery,
): Promise<Reply> {
  const ref = { environmentId: question.environmentId, sessionId: session }
  const [found, kept, notes] = await Promise.all([
    findSegments(question, session),
    findKept(db, ref),
    findNotes(db, ref),
  ])
  const rows = found.slice(0, limits.replaySegmentsListed)
  if (rows.length === 0) throw problem('not-found', 'The session has no recording, or it was deleted.')
  const tabs = describeTabs(rows)
  const startedAt = Math.min(...rows.map(({ started_at }) => Number(started_at)))
  const endedAt = Math.max(...rows.map(({ ended_at }) => Number(ended_at)))
  return {
    session,
    startedAt: toInstant(startedAt),
    endedAt: toInstant(endedAt),
    running: now.getTime() - endedAt < limits.monitoredSessionIdle,
    bytes: tabs.reduce((sum, { bytes }) => sum + bytes, 0),
    tabs,
    complete: rows.length === found.length,
    kept: kept === undefined ? null : toKept(kept),
    expiresAt: kept === undefined ? toInstant(startedAt + retentionDays * 86_400_000) : null,
    notes: notes.map(toNote),
  }
}

export function toKept({ keptAt, keptBy, reason }: KeptReplay) {
  return { at: keptAt.toISOString(), by: keptBy, reason }
}

export function toNote({ id, at, text, author, createdAt }: ReplayNoteRow) {
  return { id, at: at.toISOString(), text, author, createdAt: createdAt.toISOString() }
}
