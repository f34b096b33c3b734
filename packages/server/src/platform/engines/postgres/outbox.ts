// Inserts notifications into the outbox, in the transaction of their change: for every subscribed channel, and for
// every alert on such events. Nothing is sent from here.

import { limits } from '@telltale/core/limits'
import { type Notice, namesOf } from '@telltale/core/notices/notice'
import { and, arrayOverlaps, eq, gt, inArray, or, sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { alertIncidents, alertRules, channels, deliveries } from './alert-schema.ts'
import type { Transaction } from './open.ts'

export interface OutboxEntry {
  projectId: string
  environmentId: string | null
  notice: Notice
  /** Channels that get it whatever their subscriptions. */
  to?: readonly string[]
  /** No other channel gets it. */
  isOnlyForThem?: boolean
}

type ChannelRow = typeof channels.$inferSelect

/** PostgreSQL allows 65 535 parameters per statement. */
const rowsAtOnce = 1_000

export async function enqueue(transaction: Transaction, entries: readonly OutboxEntry[]): Promise<void> {
  const projects = [...new Set(entries.map(({ projectId }) => projectId))]
  if (projects.length === 0) return
  const listening = await transaction
    .select()
    .from(channels)
    .where(and(inArray(channels.projectId, projects), or(channels.enabled, channels.disabledAsFailing)))
  const alerted = await noteIncidents(transaction, projects, entries)
  if (listening.length === 0) return

  const full = await findFull(transaction, listening)
  const rows = entries.flatMap((entry, index) =>
    listening
      .filter((channel) => isSubscribed(channel, entry, alerted.get(index)))
      .map((channel) => toRow(channel, entry.notice, full)),
  )
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    await transaction.insert(deliveries).values(rows.slice(first, first + rowsAtOnce))
  }
}

function isSubscribed(
  channel: ChannelRow,
  entry: OutboxEntry,
  alerted: ReadonlySet<string> | undefined,
): boolean {
  if (channel.projectId !== entry.projectId) return false
  if (entry.to?.includes(channel.id) === true || alerted?.has(channel.id) === true) return true
  if (entry.isOnlyForThem === true) return false
  const { environment } = entry.notice
  const isItsPlace =
    environment === null || channel.environments.length === 0 || channel.environments.includes(environment)
  return isItsPlace && namesOf(entry.notice).some((name) => channel.events.includes(name))
}

function toRow(
  channel: ChannelRow,
  notice: Notice,
  full: ReadonlySet<string>,
): typeof deliveries.$inferInsert {
  const at = new Date(notice.at)
  return {
    id: newId(),
    channelId: channel.id,
    noticeId: notice.id,
    event: notice.event,
    notice,
    state: channel.enabled && !full.has(channel.id) ? 'waiting' : 'withheld',
    nextAt: at,
    createdAt: at,
  }
}

/** Channels with so many waiting deliveries that more would only accumulate. */
async function findFull(transaction: Transaction, listening: readonly ChannelRow[]): Promise<Set<string>> {
  const waiting = await transaction
    .select({ channelId: deliveries.channelId })
    .from(deliveries)
    .where(
      and(
        inArray(
          deliveries.channelId,
          listening.map(({ id }) => id),
        ),
        eq(deliveries.state, 'waiting'),
      ),
    )
    .groupBy(deliveries.channelId)
    .having(gt(sql`count(*)`, limits.deliveriesWaiting))
  return new Set(waiting.map(({ channelId }) => channelId))
}

/** Returns, for each entry by index, the channels of the alerts with an incident for it. */
async function noteIncidents(
  transaction: Transaction,
  projects: readonly string[],
  entries: readonly OutboxEntry[],
): Promise<Map<number, Set<string>>> {
  const names = [...new Set(entries.flatMap(({ notice }) => namesOf(notice)))]
  const rules = await transaction
    .select()
    .from(alertRules)
    .where(and(inArray(alertRules.projectId, [...projects]), arrayOverlaps(alertRules.events, names)))
  const channelsByEntry = new Map<number, Set<string>>()
  const incidents: (typeof alertIncidents.$inferInsert)[] = []
  for (const [index, { notice, environmentId, isOnlyForThem }] of entries.entries()) {
    if (isOnlyForThem === true) continue
    const at = new Date(notice.at)
    for (const rule of rules) {
      // Entries without an environment concern all environments.
      if (environmentId !== null && rule.environmentId !== environmentId) continue
      if (!namesOf(notice).some((name) => rule.events.includes(name))) continue
      const isMuted = rule.mutedUntil !== null && rule.mutedUntil > at
      const { summary, path } = notice
      const when = { startedAt: at, endedAt: at, ending: 'event' as const }
      incidents.push({ id: newId(), alertId: rule.id, ...when, summary, path, isMuted })
      if (!isMuted)
        channelsByEntry.set(index, new Set([...(channelsByEntry.get(index) ?? []), ...rule.channels]))
    }
  }
  for (let first = 0; first < incidents.length; first += rowsAtOnce) {
    await transaction.insert(alertIncidents).values(incidents.slice(first, first + rowsAtOnce))
  }
  return channelsByEntry
}
