// Claims due deliveries. On any number of servers, each attempt belongs to one of them; if that server dies,
// the claim ends with its lease.

import { limits } from '@telltale/core/limits'
import { eq, inArray, sql } from 'drizzle-orm'
import { channels, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import type { ChannelRow, DeliveryRow } from './queries.ts'

export interface Claimed {
  delivery: DeliveryRow
  channel: ChannelRow
  project: { id: string; key: string }
}

export async function claimDue(db: Db, now: Date, most: number): Promise<Claimed[]> {
  const at = now.toISOString()
  const until = new Date(now.getTime() + limits.deliveryLease).toISOString()
  const taken = await db.execute<{ id: string }>(sql`
    UPDATE deliveries SET leased_until = ${until}, tries = tries + 1
    WHERE id IN (
      SELECT id FROM deliveries
      WHERE state = 'waiting' AND next_at <= ${at} AND (leased_until IS NULL OR leased_until <= ${at}) AND id IN (
        SELECT id FROM (
          SELECT id, leased_until,
            row_number() OVER (PARTITION BY channel_id ORDER BY (leased_until > ${at}) DESC NULLS LAST, id) AS place
          FROM deliveries WHERE state = 'waiting' AND channel_id IN (SELECT id FROM channels WHERE enabled)
            AND (next_at <= ${at} OR leased_until > ${at})
        ) AS due WHERE place <= ${limits.deliveriesAtOncePerChannel}
      )
      ORDER BY next_at, id LIMIT ${most} FOR UPDATE SKIP LOCKED
    ) RETURNING id`)
  const ids = taken.rows.map(({ id }) => id)
  if (ids.length === 0) return []
  return db
    .select({ delivery: deliveries, channel: channels, project: { id: projects.id, key: projects.key } })
    .from(deliveries)
    .innerJoin(channels, eq(channels.id, deliveries.channelId))
    .innerJoin(projects, eq(projects.id, channels.projectId))
    .where(inArray(deliveries.id, ids))
}
