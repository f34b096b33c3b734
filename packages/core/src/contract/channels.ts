// Notification channels: webhooks (also Slack-compatible) and e-mail. Deliveries, their responses, and resending.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { noticeEvents } from '../notices/notice.ts'
import { call } from './call.ts'
import {
  Email,
  Id,
  Instant,
  Key,
  Name,
  Nothing,
  Nullable,
  Page,
  pageQuery,
  Strict,
  Version,
} from './parameters.ts'

export const ChannelKind = Type.Enum(['webhook', 'slack', 'email'], {
  description: 'A webhook gets a signed JSON body, `slack` a Slack-compatible message, `email` an e-mail.',
})
export const DeliveryState = Type.Enum(['waiting', 'delivered', 'failed', 'withheld'], {
  description:
    '`failed`: no more attempts. `withheld`: stored and not sent, because the channel is off or its queue is full.',
})
const Url = Type.String({
  minLength: 8,
  maxLength: limits.channelUrlLength,
  pattern: '^https?://',
  description:
    'Redirects are not followed, and private networks are refused unless the installation allows them.',
})
const Addresses = Type.Array(Email, { minItems: 1, maxItems: limits.channelAddresses, uniqueItems: true })
const Events = Type.Array(Type.Enum([...noticeEvents]), {
  maxItems: noticeEvents.length,
  uniqueItems: true,
  description:
    'Events it receives, besides the alerts that name it. `guard.decided` is every automatic decision about a rollout. `audit.recorded`, for webhooks only, is the audit log in batches.',
})
const Environments = Type.Array(Key, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Only events of these environments, and events without an environment. Empty: all.',
})

const summary = {
  id: Id,
  kind: ChannelKind,
  name: Type.String(),
  enabled: Type.Boolean(),
  disabledAsFailing: Type.Boolean({
    description: 'Turned off after too many failures, or after a 410 response.',
  }),
  failingSince: Nullable(Instant),
  lastDeliveredAt: Nullable(Instant),
}

export const ChannelSummary = Type.Object(summary)
export const Channel = Type.Object({
  ...summary,
  url: Nullable(Type.String()),
  addresses: Type.Array(Type.String()),
  secretHint: Nullable(Type.String({ description: 'The last characters of the secret.' })),
  events: Type.Array(Type.String()),
  environments: Type.Array(Key),
  lastFailure: Nullable(Type.String()),
  waiting: Type.Integer({ minimum: 0, description: 'Deliveries waiting for their next attempt.' }),
  unsent: Type.Integer({ minimum: 0, description: 'Failed or withheld deliveries.' }),
  version: Version,
  createdAt: Instant,
})
export type Channel = Static<typeof Channel>

const ChannelWithSecret = Type.Object({
  channel: Channel,
  secret: Nullable(Type.String({ description: 'Verifies signatures. Shown only once; null for e-mail.' })),
})

export const DeliveryAttempt = Type.Object({
  id: Id,
  at: Instant,
  duration: Type.Integer({ description: 'Milliseconds.' }),
  status: Nullable(Type.Integer()),
  failure: Nullable(Type.String({ description: 'Null on success.' })),
  answer: Type.String({ description: 'The first bytes of the response.' }),
})

const delivery = {
  id: Id,
  noticeId: Type.String({ description: '`webhook-id`: the same for every attempt.' }),
  event: Type.String(),
  summary: Type.String(),
  state: DeliveryState,
  tries: Type.Integer({ minimum: 0 }),
  nextAt: Nullable(Instant),
  createdAt: Instant,
  endedAt: Nullable(Instant),
  lastAttempt: Nullable(DeliveryAttempt),
}

export const DeliverySummary = Type.Object(delivery)
export const Delivery = Type.Object({
  ...delivery,
  body: Type.String({ description: 'What is sent.' }),
  attempts: Type.Array(DeliveryAttempt, { description: 'The latest first.' }),
})

const list = '/api/v1/projects/:project/channels' as const
const one = '/api/v1/projects/:project/channels/:channel' as const

export const listChannels = call({
  method: 'GET',
  path: list,
  summary: 'List the channels of a project by name, without their targets.',
  permission: 'project.view',
  reply: Type.Object({
    items: Type.Array(ChannelSummary),
    mail: Type.Boolean({ description: 'The installation can send e-mail.' }),
  }),
})

export const createChannel = call({
  method: 'POST',
  path: list,
  summary: 'Create a channel.',
  permission: 'webhooks.manage',
  idempotent: true,
  status: 201,
  body: Strict({
    kind: ChannelKind,
    name: Name,
    url: Type.Optional(Url),
    addresses: Type.Optional(Addresses),
    events: Type.Optional(Events),
    environments: Type.Optional(Environments),
  }),
  reply: ChannelWithSecret,
  errors: ['already-exists', 'in-use'],
})

export const getChannel = call({
  method: 'GET',
  path: one,
  summary: 'Show a channel.',
  permission: 'webhooks.manage',
  versioned: true,
  reply: Channel,
})

export const updateChannel = call({
  method: 'PATCH',
  path: one,
  summary: 'Change a channel; omitted members stay unchanged. Turning it on resets its failures.',
  permission: 'webhooks.manage',
  versioned: true,
  body: Strict({
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    addresses: Type.Optional(Addresses),
    events: Type.Optional(Events),
    environments: Type.Optional(Environments),
    enabled: Type.Optional(Type.Boolean()),
  }),
  reply: Channel,
  errors: ['already-exists'],
})

export const deleteChannel = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a channel with its log. A channel used by alerts cannot be deleted.',
  permission: 'webhooks.manage',
  status: 204,
  reply: Nothing,
  errors: ['in-use'],
})

export const rotateChannelSecret = call({
  method: 'POST',
  path: `${one}/rotate`,
  summary: 'Rotate the secret of a channel. Later deliveries are signed with the new one.',
  permission: 'webhooks.manage',
  reply: ChannelWithSecret,
  errors: ['wrong-state'],
})

export const testChannel = call({
  method: 'POST',
  path: `${one}/test`,
  summary: 'Send a test to a channel once, and show the response.',
  permission: 'webhooks.manage',
  reply: Delivery,
})

export const listDeliveries = call({
  method: 'GET',
  path: `${one}/deliveries`,
  summary: 'List the deliveries of a channel, newest first.',
  permission: 'webhooks.manage',
  query: Strict({ ...pageQuery, state: Type.Optional(DeliveryState) }),
  reply: Page(DeliverySummary),
})

export const getDelivery = call({
  method: 'GET',
  path: `${one}/deliveries/:delivery`,
  summary: 'Show a delivery with its body and every attempt.',
  permission: 'webhooks.manage',
  reply: Delivery,
})

export const redeliver = call({
  method: 'POST',
  path: `${one}/deliveries/:delivery/redeliver`,
  summary: 'Resend a delivery with the same id and a full set of attempts.',
  permission: 'webhooks.manage',
  reply: DeliverySummary,
  errors: ['wrong-state'],
})

export const redeliverAll = call({
  method: 'POST',
  path: `${one}/redeliver`,
  summary: 'Resend all failed or withheld deliveries, oldest first.',
  permission: 'webhooks.manage',
  reply: Type.Object({ count: Type.Integer({ minimum: 0 }) }),
  errors: ['wrong-state'],
})

export const channelCalls = {
  listChannels,
  createChannel,
  getChannel,
  updateChannel,
  deleteChannel,
  rotateChannelSecret,
  testChannel,
  listDeliveries,
  getDelivery,
  redeliver,
  redeliverAll,
}
