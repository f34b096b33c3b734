import type { Delivery } from '@telltale/core/contract/channels'
import { limits } from '@telltale/core/limits'
import type { Notice } from '@telltale/core/notices/notice'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import { deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Services } from '../../platform/services.ts'
import { carryOut } from './courier.ts'
import { describeDelivery } from './delivery.ts'
import { type ChannelRef, type DeliveryRow, getChannel, getDelivery } from './queries.ts'

/**
 * One immediate attempt, because the member waits for the result. Leased beforehand, so that no courier sends
 * it as well.
 */
export async function testChannel(
  services: Services,
  { actor }: ChangeOrigin,
  { project, id }: ChannelRef,
): Promise<Static<typeof Delivery>> {
  const { db, clock } = services
  const channel = await getChannel(db, { project, id })
  const now = clock()
  const notice: Notice = {
    id: newId(),
    event: 'channel.tested',
    at: now.toISOString(),
    project: project.key,
    environment: null,
    actor,
    entity: { kind: 'channel', id: channel.id, name: channel.name },
    summary: `${actor.name} tests the channel ${channel.name}`,
    path: `/p/${project.key}/settings/channels/${channel.id}`,
    reason: null,
    changes: [],
    changesOmitted: false,
    data: { test: true },
  }
  const delivery: DeliveryRow = {
    id: newId(),
    channelId: channel.id,
    noticeId: notice.id,
    event: notice.event,
    notice,
    state: 'waiting',
    tries: 1,
    nextAt: now,
    leasedUntil: new Date(now.getTime() + limits.deliveryLease),
    createdAt: now,
    endedAt: null,
  }
  await db.insert(deliveries).values(delivery)
  await carryOut(services, { delivery, channel, project }, { isOnce: true })
  return describeDelivery(services, channel, await getDelivery(db, channel.id, delivery.id))
}
