// What is recorded more often in an environment now, and why.

import { type Static, Type } from 'typebox'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Instant, Nullable } from './parameters.ts'

const Percentage = Type.Number({ description: 'Percent of sessions.' })
const Rates = Type.Object({ replay: Percentage, profile: Percentage })
const Text = Type.String()
const target = {
  flag: Nullable(Text),
  variation: Nullable(Text),
  page: Nullable(Text),
  version: Nullable(Text),
  device: Nullable(Text),
}
const Quota = Type.Object({
  recorded: Type.Unsafe<number>({ ...Count, description: 'Sessions of the last 24 h.' }),
  wanted: Count,
})

const Order = Type.Object({
  ...target,
  replay: Percentage,
  profile: Percentage,
  cost: Type.Object(
    { replay: Type.Number(), profile: Type.Number() },
    { description: 'Recordings that it is expected to add until the end of the day (UTC).' },
  ),
})

export const RecordingSubject = Type.Object({
  kind: Type.Enum(['rollout', 'suspect', 'issue'], {
    description: '`suspect`: a split without a guard whose metrics may be worse.',
  }),
  id: Type.String({ description: 'Of the rollout, the split or the issue.' }),
  name: Type.String({ description: 'The key of the flag, or the type of the issue.' }),
  orders: Type.Array(Order, { description: 'Empty if its quotas are filled or others came first.' }),
  parts: Type.Array(Type.Object({ ...target, replay: Quota, profile: Quota })),
})
export type RecordingSubject = Static<typeof RecordingSubject>

export const RecordingOrders = Type.Object({
  enabled: Type.Boolean({ description: 'The setting `recordingOrders` of the environment.' }),
  plannedAt: Nullable(Instant),
  sampling: Type.Object(
    { replay: Percentage, profile: Percentage },
    { description: 'The rates of the environment.' },
  ),
  base: Type.Unsafe<Static<typeof Rates>>({
    ...Rates,
    description: 'The rates of sessions that match no order, so that a day stores as much as without orders.',
  }),
  items: Type.Array(RecordingSubject),
})
export type RecordingOrders = Static<typeof RecordingOrders>

export const listRecordingOrders = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/recording-orders',
  summary:
    'List running rollouts, suspected splits and fresh issues with the recordings that are ordered for them.',
  permission: 'project.view',
  reply: RecordingOrders,
})

export const recordingOrderCalls = { listRecordingOrders }
