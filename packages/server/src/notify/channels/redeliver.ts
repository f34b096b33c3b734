import { problem } from '@telltale/core/errors'
import { and, eq, inArray } from 'drizzle-orm'
import { deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import { channelChange } from './channel.ts'
import { toDeliverySummary } from './delivery.ts'
import {
  type ChannelRef,
  type ChannelRow,
  findLastAttempts,
  getDelivery,
  isNews,
  lockChannel,
} from './queries.ts'

/** Queues a delivery again; the notice, its id and earlier attempts are kept. */
export const redeliver = change(async (context, { delivery, ...ref }: ChannelRef & { delivery: string }) => {
  const { db } = context
  const channel = await lockOn(context, ref)
  const before = await getDelivery(db, channel.id, delivery)
  if (before.state === 'waiting') throw problem('wrong-state', 'It is already waiting to be sent.')
  const again = beginAnew(context)
  await db.update(deliveries).set(again).where(eq(deliveries.id, before.id))
  const last = await findLastAttempts(db, [before.id])
  return {
    reply: toDeliverySummary({ ...before, ...again }, last.get(before.id)),
    changes: [channelChange('redeliver', { project: ref.project, before: channel, after: channel })],
  }
})

export const redeliverAll = change(async (context, ref: ChannelRef) => {
  const { db } = context
  const channel = await lockOn(context, ref)
  const again = await db
    .update(deliveries)
    .set(beginAnew(context))
    .where(
      and(eq(deliveries.channelId, channel.id), isNews, inArray(deliveries.state, ['failed', 'withheld'])),
    )
    .returning({ id: deliveries.id })
  const { length: count } = again
  const entry = channelChange('redeliver', { project: ref.project, before: channel, after: channel })
  return { reply: { count }, changes: count === 0 ? [] : [entry] }
})

const beginAnew = ({ now }: ChangeContext) =>
  ({ state: 'waiting', tries: 0, nextAt: now, leasedUntil: null, endedAt: null }) as const

async function lockOn({ db }: ChangeContext, ref: ChannelRef): Promise<ChannelRow> {
  const channel = await lockChannel(db, ref)
  if (!channel.enabled) throw problem('wrong-state', 'The channel is turned off. Turn it on first.')
  return channel
}
