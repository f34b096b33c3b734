// Where news go: webhooks, Slack-compatible ones and mail. What was sent, what came back, and sending it again.

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
  description:
    'A webhook gets our own body, signed; `slack` a body that Slack and what is compatible with it shows; `email` a letter.',
})
export const DeliveryState = Type.Enum(['waiting', 'delivered', 'failed', 'withheld'], {
  description:
    '`failed`: given up after the last attempt. `withheld`: kept and not sent by itself, because the channel is turned off or too much waits.',
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
    'What it is told of, beside the alerts that name it. `guard.decided` is every decision about a rollout that no person made.',
})
const Environments = Type.Array(Key, {
  maxItems: 50,
  uniqueItems: true,
  description: 'Only what happens there, and what belongs to no environment. Empty: everywhere.',
})

const summary = {
  id: Id,
  kind: ChannelKind,
  name: Type.String(),
  enabled: Type.Boolean(),
  disabledAsFailing: Type.Boolean({
    description: 'It was turned off because it took nothing for too long, or answered 410.',
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
  waiting: Type.Integer({ minimum: 0, description: 'Deliveries that wait for their next attempt.' }),
  unsent: Type.Integer({ minimum: 0, description: 'Deliveries that failed or were withheld.' }),
  version: Version,
  createdAt: Instant,
})
export type Channel = Static<typeof Channel>

const ChannelWithSecret = Type.Object({
  channel: Channel,
  secret: Nullable(Type.String({ description: 'Verifies signatures. Shown this once; null for mail.' })),
})

export const DeliveryAttempt = Type.Object({
  id: Id,
  at: Instant,
  duration: Type.Integer({ description: 'Milliseconds.' }),
  status: Nullable(Type.Integer()),
  failure: Nullable(Type.String({ description: 'Null when it was taken.' })),
  answer: Type.String({ description: 'The first bytes of what came back.' }),
})

const delivery = {
  id: Id,
  noticeId: Type.String({ description: '`webhook-id`: the same however often it is sent.' }),
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
  summary: 'List the channels of a project by name, without where they lead to.',
  permission: 'project.view',
  reply: Type.Object({
    items: Type.Array(ChannelSummary),
    mail: Type.Boolean({ description: 'The installation can send mail.' }),
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
  summary: 'Change a channel; what is left out stays. Turning it on forgets that it was failing.',
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
  summary: 'Delete a channel with its log. One that alerts name is in use.',
  permission: 'webhooks.manage',
  status: 204,
  reply: Nothing,
  errors: ['in-use'],
})

export const rotateChannelSecret = call({
  method: 'POST',
  path: `${one}/rotate`,
  summary: 'Give a channel a new secret. What is sent from now on is signed with it.',
  permission: 'webhooks.manage',
  reply: ChannelWithSecret,
  errors: ['wrong-state'],
})

export const testChannel = call({
  method: 'POST',
  path: `${one}/test`,
  summary: 'Send a test to a channel now, and show what came back. It is tried once.',
  permission: 'webhooks.manage',
  reply: Delivery,
})

export const listDeliveries = call({
  method: 'GET',
  path: `${one}/deliveries`,
  summary: 'List what was sent to a channel, newest first.',
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
  summary: 'Send a delivery again, with the same id and as many attempts as a new one.',
  permission: 'webhooks.manage',
  reply: DeliverySummary,
  errors: ['wrong-state'],
})

export const redeliverAll = call({
  method: 'POST',
  path: `${one}/redeliver`,
  summary: 'Send everything again that failed or was withheld, the oldest first.',
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
