import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { channels } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { channelChange, toChannel } from './channel.ts'
import { type ChannelRef, countDeliveries, lockChannel } from './queries.ts'
import { newWebhookSecret } from './sign.ts'

export const rotateSecret = change(async ({ db }, ref: ChannelRef) => {
  const { project } = ref
  const before = await lockChannel(db, ref)
  if (before.secret === null) throw problem('wrong-state', 'E-mail is not signed.')
  const secret = newWebhookSecret()
  const after = { ...before, secret, version: before.version + 1 }
  await db.update(channels).set(after).where(eq(channels.id, after.id))
  return {
    reply: { channel: toChannel(after, await countDeliveries(db, after.id)), secret },
    changes: [channelChange('rotate', { project, before, after })],
  }
})
