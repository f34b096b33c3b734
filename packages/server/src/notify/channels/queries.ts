import { problem } from '@telltale/core/errors'
import { and, asc, desc, eq, inArray, lt, notInArray, sql } from 'drizzle-orm'
import {
  alertRules,
  channels,
  deliveries,
  deliveryAttempts,
} from '../../platform/engines/postgres/alert-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export type ChannelRow = typeof channels.$inferSelect
export type DeliveryRow = typeof deliveries.$inferSelect
export type AttemptRow = typeof deliveryAttempts.$inferSelect

export interface ChannelRef {
  project: { id: string; key: string }
  id: string
}

/** By name. */
export async function findChannels(db: Queryable, projectId: string): Promise<ChannelRow[]> {
  return db.select().from(channels).where(eq(channels.projectId, projectId)).orderBy(asc(channels.name))
}

/** Throws `not-found`. */
export async function getChannel(db: Queryable, { project, id }: ChannelRef): Promise<ChannelRow> {
  const [row] = await db
    .select()
    .from(channels)
    .where(and(eq(channels.projectId, project.id), eq(channels.id, id)))
  if (!row) throw noChannel()
  return row
}

/** Locks the channel. Throws `not-found`. */
export async function lockChannel(db: Queryable, { project, id }: ChannelRef): Promise<ChannelRow> {
  const [row] = await db
    .select()
    .from(channels)
    .where(and(eq(channels.projectId, project.id), eq(channels.id, id)))
    .for('update')
  if (!row) throw noChannel()
  return row
}

const noChannel = () => problem('not-found', 'There is no such channel.')

/** Tests are attempted once and are not sent again. */
export const isNews = notInArray(deliveries.event, ['channel.tested', 'alert.tested'])

export interface DeliveryCounts {
  waiting: number
  unsent: number
}

export async function countDeliveries(db: Queryable, channelId: string): Promise<DeliveryCounts> {
  const rows = await db
    .select({ state: deliveries.state, count: sql<number>`count(*)::int` })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.channelId, channelId),
        isNews,
        inArray(deliveries.state, ['waiting', 'failed', 'withheld']),
      ),
    )
    .groupBy(deliveries.state)
  const of = (state: DeliveryRow['state']) => rows.find((row) => row.state === state)?.count ?? 0
  return { waiting: of('waiting'), unsent: of('failed') + of('withheld') }
}

/** Newest first. */
export async function findDeliveries(
  db: Queryable,
  { channelId, state }: { channelId: string; state: DeliveryRow['state'] | undefined },
  { before, count }: { before: string | undefined; count: number },
): Promise<DeliveryRow[]> {
  return db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.channelId, channelId),
        before === undefined ? undefined : lt(deliveries.id, before),
        state === undefined ? undefined : eq(deliveries.state, state),
      ),
    )
    .orderBy(desc(deliveries.id))
    .limit(count)
}

/** Throws `not-found`. */
export async function getDelivery(db: Queryable, channelId: string, id: string): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.channelId, channelId), eq(deliveries.id, id)))
  if (!row) throw problem('not-found', 'There is no such delivery.')
  return row
}

/** Newest first. */
export async function findAttempts(db: Queryable, deliveryId: string): Promise<AttemptRow[]> {
  return db
    .select()
    .from(deliveryAttempts)
    .where(eq(deliveryAttempts.deliveryId, deliveryId))
    .orderBy(desc(deliveryAttempts.id))
    .limit(attemptsShown)
}

const attemptsShown = 100

export async function findLastAttempts(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, AttemptRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([deliveryAttempts.deliveryId])
    .from(deliveryAttempts)
    .where(inArray(deliveryAttempts.deliveryId, [...ids]))
    .orderBy(deliveryAttempts.deliveryId, desc(deliveryAttempts.id))
  return new Map(rows.map((row) => [row.deliveryId, row]))
}

/** Names of the alerts that use a channel. */
export async function findAlertsOf(db: Queryable, channelId: string): Promise<string[]> {
  const rows = await db
    .select({ name: alertRules.name })
    .from(alertRules)
    .where(sql`${channelId} = ANY(${alertRules.channels})`)
    .limit(20)
  return rows.map(({ name }) => name)
}
