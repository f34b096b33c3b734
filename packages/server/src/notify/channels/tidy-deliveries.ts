import { limits } from '@telltale/core/limits'
import { and, desc, eq, lt, lte, ne } from 'drizzle-orm'
import { alertIncidents, channels, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'

/** Limits logs by age and number. Deliveries that have waited or been withheld that long are deleted as well. */
export async function tidyDeliveries(db: Db, now: Date, most: number = limits.deliveriesKept): Promise<void> {
  const old = new Date(now.getTime() - limits.incidentKept)
  await db.delete(alertIncidents).where(lt(alertIncidents.endedAt, old))
  await db.delete(deliveries).where(lt(deliveries.createdAt, new Date(now.getTime() - limits.deliveryKept)))
  for (const { id } of await db.select({ id: channels.id }).from(channels)) await shorten(db, id, most)
}

async function shorten(db: Db, channelId: string, most: number): Promise<void> {
  const ofChannel = eq(deliveries.channelId, channelId)
  const [first] = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(ofChannel)
    .orderBy(desc(deliveries.id))
    .offset(most)
    .limit(1)
  if (first === undefined) return
  const isOlder = lte(deliveries.id, first.id)
  await db.delete(deliveries).where(and(ofChannel, isOlder, ne(deliveries.state, 'waiting')))
}
