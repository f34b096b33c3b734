// Streams the audit log of a project to the webhooks that subscribe to it: in the order of the chain, and at least
// once. A batch is a delivery like any other, and the next one follows when it has arrived; what waits is in the log,
// so a receiver that is down for days costs nothing.

import type { AuditEntry } from '@telltale/core/contract/audit'
import { limits } from '@telltale/core/limits'
import { auditEvent, type Notice, pathOf, summaryOf } from '@telltale/core/notices/notice'
import { and, eq } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { toAuditEntry } from '../../organisation/audit/entry.ts'
import { findSealedAfter } from '../../organisation/audit/queries.ts'
import { findEnd } from '../../organisation/audit/seal-entries.ts'
import { auditStreams, channels, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import type { Db, Transaction } from '../../platform/engines/postgres/open.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import type { ChannelRow, DeliveryRow } from './queries.ts'

/** Called when a channel is created or changed. A new subscription starts with the entries that are sealed from now on. */
export async function followSubscription(db: Transaction, { id, events }: ChannelRow): Promise<void> {
  if (!events.includes(auditEvent)) {
    await db.delete(auditStreams).where(eq(auditStreams.channelId, id))
    return
  }
  const { position } = await findEnd(db)
  await db.insert(auditStreams).values({ channelId: id, position, until: position }).onConflictDoNothing()
}

/** Queues the next batch of each stream whose last one has arrived. A stream that fails does not delay the others. */
export async function streamAudit(db: Db, now: Date): Promise<void> {
  const open = await db
    .select({ id: auditStreams.channelId })
    .from(auditStreams)
    .innerJoin(channels, eq(channels.id, auditStreams.channelId))
    .where(eq(channels.enabled, true))
  const failures: unknown[] = []
  for (const { id } of open) {
    await db
      .transaction((transaction) => advance(transaction, id, now))
      .catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

async function advance(db: Transaction, channelId: string, now: Date): Promise<void> {
  // Locked, because another server may be doing the same.
  const [found] = await db
    .select({ stream: auditStreams, channel: channels, project: projects, last: deliveries })
    .from(auditStreams)
    .innerJoin(channels, eq(channels.id, auditStreams.channelId))
    .innerJoin(projects, eq(projects.id, channels.projectId))
    .leftJoin(deliveries, eq(deliveries.id, auditStreams.deliveryId))
    .where(and(eq(auditStreams.channelId, channelId), eq(channels.enabled, true)))
    .for('update', { of: auditStreams, skipLocked: true })
  if (found === undefined || found.last?.state === 'waiting') return
  const { stream, channel, project, last } = found
  if (last?.state === 'failed' || last?.state === 'withheld') return sendAgain(db, last, now)

  // A delivery that was deleted from the log before it arrived is sent again.
  const after = last?.state === 'delivered' ? stream.until : stream.position
  const end = await findEnd(db)
  const within = { projectId: channel.projectId, environments: channel.environments }
  const rows = await findSealedAfter(db, within, { after, count: limits.auditStreamBatch })
  const entries = withinSize(rows.map(toAuditEntry))
  const until = entries.at(-1)?.seal?.position ?? end.position
  if (entries.length === 0 && until === after && stream.deliveryId === null) return

  const delivery = entries.length === 0 ? undefined : deliveryOf(channel, noticeOf(project, entries, now))
  if (delivery !== undefined) await db.insert(deliveries).values(delivery)
  const position = delivery === undefined ? until : after
  await db
    .update(auditStreams)
    .set({ position, until, deliveryId: delivery?.id ?? null })
    .where(eq(auditStreams.channelId, channelId))
}

/** A gap would break the order: later entries wait until this batch arrives, or the channel is turned off. */
async function sendAgain(db: Transaction, { id, state }: DeliveryRow, now: Date): Promise<void> {
  const pause = state === 'failed' ? limits.deliveryPauseMaximum : 0
  await db
    .update(deliveries)
    .set({ state: 'waiting', tries: 0, nextAt: new Date(now.getTime() + pause), endedAt: null })
    .where(eq(deliveries.id, id))
}

/** At least one. */
function withinSize(entries: readonly AuditEntry[]): AuditEntry[] {
  let size = 0
  const beyond = entries.findIndex((entry, index) => {
    size += JSON.stringify(entry).length
    return index > 0 && size > limits.auditStreamSize
  })
  return beyond === -1 ? [...entries] : entries.slice(0, beyond)
}

function noticeOf(
  { id, key }: { id: string; key: string },
  entries: readonly AuditEntry[],
  now: Date,
): Notice {
  const announcement = {
    event: auditEvent,
    actor: { kind: 'system', id: null, name: 'audit log' },
    entity: { kind: 'audit', id, name: key },
    project: key,
    environment: null,
  } as const
  return {
    ...announcement,
    id: newId(),
    at: now.toISOString(),
    summary: summaryOf(announcement),
    path: pathOf(announcement),
    reason: null,
    changes: [],
    changesOmitted: false,
    data: { entries },
  }
}

const deliveryOf = (channel: ChannelRow, notice: Notice) =>
  ({
    id: newId(),
    channelId: channel.id,
    noticeId: notice.id,
    event: notice.event,
    notice,
    state: 'waiting',
    nextAt: new Date(notice.at),
    createdAt: new Date(notice.at),
  }) as const
