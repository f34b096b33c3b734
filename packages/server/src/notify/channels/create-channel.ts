import type { createChannel as createChannelCall } from '@telltale/core/contract/channels'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { channels } from '../../platform/engines/postgres/alert-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { channelChange, noDeliveries, toChannel } from './channel.ts'
import { checkEnvironments } from './check-environments.ts'
import { checkEvents } from './check-events.ts'
import { checkTarget, type Reachable } from './check-target.ts'
import { type ChannelRow, findChannels } from './queries.ts'
import { newWebhookSecret } from './sign.ts'
import { followSubscription } from './stream-audit.ts'

interface ChannelCreation {
  project: { id: string; key: string }
  draft: Static<typeof createChannelCall.body>
  reachable: Reachable
}

/** Returns the signing secret, only once. */
export const createChannel = change(async ({ db, now }, { project, draft, reachable }: ChannelCreation) => {
  const target = { kind: draft.kind, url: draft.url ?? null, addresses: draft.addresses ?? [] }
  checkTarget(target, reachable)
  checkEvents(draft.kind, draft.events ?? [])
  await lockProject(db, project.id)
  await checkEnvironments(db, project.id, { places: draft.environments ?? [], except: [] })
  const existing = await findChannels(db, project.id)
  if (existing.some(({ name }) => name === draft.name)) {
    throw problem('already-exists', `The channel "${draft.name}" already exists in the project.`)
  }
  if (existing.length >= limits.channelsPerProject) {
    throw problem('in-use', `A project has at most ${limits.channelsPerProject} channels.`)
  }
  const row: ChannelRow = {
    id: newId(),
    projectId: project.id,
    name: draft.name,
    ...target,
    secret: draft.kind === 'email' ? null : newWebhookSecret(),
    events: draft.events ?? [],
    environments: draft.environments ?? [],
    enabled: true,
    disabledAsFailing: false,
    failingSince: null,
    lastDeliveredAt: null,
    lastFailure: null,
    version: 1,
    createdAt: now,
  }
  await db.insert(channels).values(row)
  await followSubscription(db, row)
  return {
    reply: { channel: toChannel(row, noDeliveries), secret: row.secret },
    changes: [channelChange('create', { project, after: row })],
  }
})
