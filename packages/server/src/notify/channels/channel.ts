import type { Channel, ChannelSummary } from '@telltale/core/contract/channels'
import type { Static } from 'typebox'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { ChannelRow, DeliveryCounts } from './queries.ts'

/** The part of a channel that all members may see. */
export function toChannelSummary(row: ChannelRow): Static<typeof ChannelSummary> {
  const { id, kind, name, enabled, disabledAsFailing } = row
  return {
    id,
    kind,
    name,
    enabled,
    disabledAsFailing,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
  }
}

export function toChannel(row: ChannelRow, counts: DeliveryCounts): Channel {
  const { url, addresses, events, environments, lastFailure, version } = row
  return {
    ...toChannelSummary(row),
    url,
    addresses,
    secretHint: row.secret === null ? null : row.secret.slice(-4),
    events,
    environments,
    lastFailure,
    ...counts,
    version,
    createdAt: row.createdAt.toISOString(),
  }
}

export const noDeliveries: DeliveryCounts = { waiting: 0, unsent: 0 }

/** A change of a channel for the audit log. URLs such as Slack's are secrets. */
export function channelChange(
  verb: 'create' | 'update' | 'delete' | 'rotate' | 'disable' | 'redeliver',
  {
    project,
    before,
    after,
  }: { project: { id: string; key: string }; before?: ChannelRow; after?: ChannelRow },
): EntityChange {
  const row = after ?? before
  if (row === undefined) throw new Error('A change of a channel is about one.')
  return {
    action: `channel.${verb}`,
    entity: { kind: 'channel', id: row.id, name: row.name },
    project,
    ...(before && { before: audited(before) }),
    ...(after && { after: audited(after) }),
  }
}

function audited({ kind, name, url, addresses, events, environments, enabled, secret }: ChannelRow) {
  return {
    kind,
    name,
    host: url === null ? null : new URL(url).host,
    addresses,
    events,
    environments,
    enabled,
    secret: secret === null ? null : `…${secret.slice(-4)}`,
  }
}
