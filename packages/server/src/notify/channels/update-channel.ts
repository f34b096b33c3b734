import { isDeepStrictEqual } from 'node:util'
import type { updateChannel as updateChannelCall } from '@telltale/core/contract/channels'
import { problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import type { Static } from 'typebox'
import { lockProject } from '../../access/find-project.ts'
import { channels, deliveries } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { channelChange, toChannel } from './channel.ts'
import { checkEnvironments } from './check-environments.ts'
import { checkEvents } from './check-events.ts'
import { checkTarget, type Reachable } from './check-target.ts'
import { type ChannelRef, type ChannelRow, countDeliveries, findChannels, lockChannel } from './queries.ts'
import { followSubscription } from './stream-audit.ts'

interface Update extends ChannelRef {
  draft: Static<typeof updateChannelCall.body>
  reachable: Reachable
  ifMatch: number | undefined
}

export const updateChannel = change(async ({ db }, { draft, reachable, ifMatch, ...ref }: Update) => {
  const { project } = ref
  await lockProject(db, project.id)
  const before = await lockChannel(db, ref)
  const counts = await countDeliveries(db, before.id)
  if (ifMatch !== undefined && ifMatch !== before.version) {
    throw problem('version-conflict', { current: toChannel(before, counts) })
  }
  const after: ChannelRow = { ...before, ...draft, ...healthOf(before, draft), version: before.version + 1 }
  if (draft.url !== undefined || draft.addresses !== undefined) checkTarget(after, reachable)
  checkEvents(after.kind, after.events)
  // An environment that was deleted since may remain.
  await checkEnvironments(db, project.id, { places: after.environments, except: before.environments })
  const others = await findChannels(db, project.id)
  if (others.some(({ id, name }) => name === after.name && id !== after.id)) {
    throw problem('already-exists', `The channel "${after.name}" already exists in the project.`)
  }
  await db.update(channels).set(after).where(eq(channels.id, after.id))
  await followSubscription(db, after)
  if (before.enabled && !after.enabled) {
    await db
      .update(deliveries)
      .set({ state: 'withheld' })
      .where(and(eq(deliveries.channelId, after.id), eq(deliveries.state, 'waiting')))
  }
  return {
    reply: toChannel(after, await countDeliveries(db, after.id)),
    changes: [channelChange('update', { project, before, after })],
  }
})

/** Turning a channel on or changing its target resets the three days of failures. */
function healthOf(before: ChannelRow, draft: Update['draft']): Partial<ChannelRow> {
  const { enabled, url = before.url, addresses = before.addresses } = draft
  const isTurned = enabled !== undefined && enabled !== before.enabled
  const isElsewhere = url !== before.url || !isDeepStrictEqual(addresses, before.addresses)
  if (!isTurned && !isElsewhere) return {}
  return { failingSince: null, lastFailure: null, ...(isTurned && { disabledAsFailing: false }) }
}
