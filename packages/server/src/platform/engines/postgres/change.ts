// The only way to change state: one transaction that includes the audit entries, announced after it has committed.

import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '@telltale/core/limits'
import { eventOf, type Notice, pathOf, summaryOf } from '@telltale/core/notices/notice'
import { sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { retryPause } from '../../process/retry-pause.ts'
import { announcementChannel, printAnnouncement } from './announcements.ts'
import { type AuditActor, auditEntries } from './audit-schema.ts'
import { diff } from './diff.ts'
import { type IdempotentRequest, rememberReply, repeatedReply } from './idempotency.ts'
import { type Db, isDeadlock, type Transaction } from './open.ts'
import { enqueue, type OutboxEntry } from './outbox.ts'

/** Who changes state, when, and by which request. */
export interface ChangeOrigin {
  actor: AuditActor
  requestId: string | null
  now: Date
  idempotency?: IdempotentRequest | undefined
}

export interface ChangeContext {
  db: Transaction
  now: Date
  actor: AuditActor
}

/** The change of one entity. `before` and `after` are shown in the audit log: never a hash or a secret. */
export interface EntityChange {
  action: `${string}.${string}`
  entity: { kind: string; id: string; name: string }
  /** The part of an entity; announced, so that other servers reload only that part. */
  part?: string
  project?: { id: string; key: string }
  environment?: { id: string; key: string }
  before?: object
  after?: object
  reason?: string
  /** Additional content of the notification, and recipients who get it in any case. */
  news?: {
    summary: string
    text?: string
    data?: Readonly<Record<string, unknown>>
    to?: readonly string[]
    isMuted?: boolean
  }
}

export interface Changed<Reply> {
  reply: Reply
  /** Empty if nothing had to be changed. */
  changes: EntityChange[]
}

type Verb<Input, Reply> = (context: ChangeContext, input: Input) => Promise<Changed<Reply>>

/** A change, ready to run on a database for an origin. `verb` is the same within the transaction of another change. */
export interface Change<Input, Reply> {
  (db: Db, origin: ChangeOrigin, input: Input): Promise<Reply>
  verb: Verb<Input, Reply>
}

export function change<Input, Reply>(verb: Verb<Input, Reply>): Change<Input, Reply> {
  const run = (db: Db, origin: ChangeOrigin, input: Input) =>
    againAfterDeadlock(() =>
      db.transaction(async (transaction) => {
        const { idempotency } = origin
        const repeated = idempotency && (await repeatedReply<Reply>(transaction, idempotency, origin.now))
        if (repeated) return repeated.reply

        const context = { db: transaction, now: origin.now, actor: origin.actor }
        const { reply, changes } = await verb(context, input)

        if (changes.length > 0) await record(transaction, origin, changes)
        if (idempotency) await rememberReply(transaction, idempotency, { reply, now: origin.now })
        return reply
      }),
    )
  return Object.assign(run, { verb })
}

const tries = 3

/** All writes of a change are in its transaction, so that nothing remains if PostgreSQL aborts it. */
async function againAfterDeadlock<Reply>(work: () => Promise<Reply>): Promise<Reply> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isDeadlock(error) || failures + 1 >= tries) throw error
      await pause(retryPause(failures))
    }
  }
}

/** PostgreSQL allows 65 535 parameters per statement, and each row has fourteen. */
const entriesPerStatement = 1_000

async function record(
  transaction: Transaction,
  origin: ChangeOrigin,
  changes: EntityChange[],
): Promise<void> {
  for (let first = 0; first < changes.length; first += entriesPerStatement) {
    const entries = changes.slice(first, first + entriesPerStatement)
    const rows = entries.map((entry) => auditRow(origin, entry))
    await transaction.insert(auditEntries).values(rows)
    await enqueue(
      transaction,
      entries.flatMap((entry, index) => tellingOf(entry, rows[index])),
    )
    await announce(transaction, entries)
  }
}

const hardlyPast = 1_000

/** Entries are listed by id. An entry in the past, as in a demo's history, gets the id that it would have had then. */
function idAt(at: Date): string {
  const isPast = Date.now() - at.getTime() > hardlyPast
  return isPast ? newId({ msecs: at.getTime() }) : newId()
}

function auditRow({ actor, now, requestId }: ChangeOrigin, entry: EntityChange) {
  return {
    id: idAt(now),
    at: now,
    actor,
    action: entry.action,
    entityKind: entry.entity.kind,
    entityId: entry.entity.id,
    entityName: entry.entity.name,
    projectId: entry.project?.id ?? null,
    projectKey: entry.project?.key ?? null,
    environmentId: entry.environment?.id ?? null,
    environmentKey: entry.environment?.key ?? null,
    changes: diff(entry.before, entry.after),
    reason: entry.reason ?? null,
    requestId,
  }
}

/** A notification has the id of its audit entry. */
function tellingOf(
  { action, entity, project, environment, news, reason }: EntityChange,
  row: ReturnType<typeof auditRow> | undefined,
): OutboxEntry[] {
  const event = eventOf(action)
  if (event === undefined || project === undefined || row === undefined || news?.isMuted === true) return []
  const announcement = {
    event,
    actor: row.actor,
    entity,
    project: project.key,
    environment: environment?.key ?? null,
  }
  const changesOmitted = JSON.stringify(row.changes).length > limits.noticeChangesSize
  const notice: Notice = {
    ...announcement,
    id: row.id,
    at: row.at.toISOString(),
    summary: news?.summary ?? summaryOf(announcement),
    path: pathOf(announcement),
    reason: reason ?? null,
    ...(news?.text !== undefined && { text: news.text }),
    changes: changesOmitted ? [] : row.changes,
    changesOmitted,
    data: news?.data ?? {},
  }
  const to = news?.to
  return [{ projectId: project.id, environmentId: environment?.id ?? null, notice, ...(to && { to }) }]
}

/** PostgreSQL delivers a notification when the transaction commits, and never if it does not. */
async function announce(transaction: Transaction, entries: EntityChange[]): Promise<void> {
  const payloads = entries.map(({ action, entity, part, project, environment }) =>
    printAnnouncement({
      action,
      entity: entity.kind,
      id: entity.id,
      project: project?.id ?? null,
      environment: environment?.id ?? null,
      part: part ?? null,
    }),
  )
  await transaction.execute(sql`
    SELECT pg_notify(${announcementChannel}, payload)
    FROM jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) AS payload`)
}
