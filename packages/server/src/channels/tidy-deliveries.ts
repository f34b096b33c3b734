import { limits } from '@telltale/core/limits'
import { lt } from 'drizzle-orm'
import { alertIncidents, deliveries } from '../engines/postgres/alert-schema.ts'
import type { Db } from '../engines/postgres/open.ts'

/** Logs go back so far. What waits or was withheld for so long is no news any more. */
export async function tidyDeliveries(db: Db, now: Date): Promise<void> {
  const old = new Date(now.getTime() - limits.incidentKept)
  await db.delete(alertIncidents).where(lt(alertIncidents.endedAt, old))
  await db.delete(deliveries).where(lt(deliveries.createdAt, new Date(now.getTime() - limits.deliveryKept)))
}
