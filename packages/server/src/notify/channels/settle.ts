// Stores the outcome of an attempt and decides what follows: done, retried with backoff, or given up. A channel
// that failed for days is turned off, which is announced as well; its pending notifications are kept.

import { limits } from '@telltale/core/limits'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { channels, deliveries, deliveryAttempts } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Db, Transaction } from '../../platform/engines/postgres/open.ts'
import { channelChange } from './channel.ts'
import type { Claimed } from './claim.ts'
import { gone, type Outcome } from './post.ts'
import { type ChannelRef, lockChannel } from './queries.ts'

interface Attempted {
  claimed: Claimed
  outcome: Outcome
  began: Date
  now: Date
  duration: number
  /** There is no further attempt. */
  isOnce?: boolean
}

export async function settle(db: Db, attempted: Attempted): Promise<void> {
  const { claimed, outcome, now, isOnce = false } = attempted
  await db.transaction(async (transaction) => {
    await writeAttempt(transaction, attempted)
    await transaction
      .update(deliveries)
      .set({ leasedUntil: null, ...nextOf(attempted) })
      .where(eq(deliveries.id, claimed.delivery.id))
    await noteHealth(transaction, claimed.channel.id, { failure: outcome.failure, now })
    if (outcome.retryAfter !== undefined) await leaveAlone(transaction, attempted, outcome.retryAfter)
  })
  if (outcome.failure === null) return
  const actor = { kind: 'system', id: null, name: 'channels' } as const
  const isGone = outcome.status === gone && !isOnce
  const ref = { project: claimed.project, id: claimed.channel.id }
  await disableFailing(db, { actor, requestId: null, now }, { ...ref, isGone })
}

async function writeAttempt(
  transaction: Transaction,
  { claimed, outcome, began, duration }: Attempted,
): Promise<void> {
  const { status, failure, answer } = outcome
  await transaction.insert(deliveryAttempts).values({
    id: newId(),
    deliveryId: claimed.delivery.id,
    at: began,
    duration: Math.round(duration),
    status,
    failure,
    answer,
  })
}

function nextOf({
  claimed,
  outcome,
  now,
  isOnce = false,
}: Attempted): Partial<typeof deliveries.$inferInsert> {
  if (outcome.failure === null) return { state: 'delivered', endedAt: now }
  const { tries } = claimed.delivery
  if (isOnce || tries >= limits.deliveryAttempts) return { state: 'failed', endedAt: now }
  return { nextAt: new Date(now.getTime() + pauseAfter(tries, Math.random())) }
}

const growth = 3
const jitter = 0.2

/** Exponential backoff with jitter, so that deliveries which failed together are not retried together. */
export function pauseAfter(tries: number, chance: number): number {
  const pause = Math.min(limits.deliveryPauseMaximum, limits.deliveryPause * growth ** (tries - 1))
  return pause * (1 + jitter * (2 * chance - 1))
}

/** Delays all waiting deliveries of a channel that requested a delay, each with jitter. */
async function leaveAlone(
  transaction: Transaction,
  { claimed, now }: Attempted,
  span: number,
): Promise<void> {
  const from = now.toISOString()
  const until = sql`${from}::timestamptz + (1 + ${jitter}::float8 * random()) * ${span}::float8 * interval '1 ms'`
  await transaction
    .update(deliveries)
    .set({ nextAt: sql`greatest(${deliveries.nextAt}, ${until})` })
    .where(and(eq(deliveries.channelId, claimed.channel.id), eq(deliveries.state, 'waiting')))
}

async function noteHealth(
  transaction: Transaction,
  id: string,
  { failure, now }: { failure: string | null; now: Date },
): Promise<void> {
  if (failure === null) {
    const healthy = { failingSince: null, lastFailure: null, lastDeliveredAt: now }
    await transaction.update(channels).set(healthy).where(eq(channels.id, id))
    return
  }
  await transaction.update(channels).set({ lastFailure: failure }).where(eq(channels.id, id))
  await transaction
    .update(channels)
    .set({ failingSince: now })
    .where(and(eq(channels.id, id), isNull(channels.failingSince)))
}

/**
 * Does nothing unless the channel has failed for long enough. Deliveries returned to a disabled channel are
 * withheld.
 */
const disableFailing = change(async ({ db, now }, { isGone, ...ref }: ChannelRef & { isGone: boolean }) => {
  const before = await lockChannel(db, ref)
  const { enabled, failingSince } = before
  const isTooLong =
    failingSince !== null && now.getTime() - failingSince.getTime() >= limits.channelFailingFor
  if (enabled && !isTooLong && !isGone) return { reply: undefined, changes: [] }
  await db
    .update(deliveries)
    .set({ state: 'withheld' })
    .where(
      and(
        eq(deliveries.channelId, before.id),
        eq(deliveries.state, 'waiting'),
        isNull(deliveries.leasedUntil),
      ),
    )
  if (!enabled) return { reply: undefined, changes: [] }
  const after = { ...before, enabled: false, disabledAsFailing: true, version: before.version + 1 }
  await db.update(channels).set(after).where(eq(channels.id, before.id))
  return { reply: undefined, changes: [channelChange('disable', { project: ref.project, before, after })] }
})
