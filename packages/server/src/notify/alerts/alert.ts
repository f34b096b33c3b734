import type { Alert, Incident } from '@telltale/core/contract/alerts'
import type { Static } from 'typebox'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { toChannelSummary } from '../channels/channel.ts'
import { type ChannelRow, findChannels } from '../channels/queries.ts'
import { findLastIncidents, type IncidentRow, type PlacedAlert } from './queries.ts'

/** Alerts of one project as the API returns them. */
export async function toAlerts(db: Queryable, placed: readonly PlacedAlert[]): Promise<Alert[]> {
  const [first] = placed
  if (first === undefined) return []
  const channels = await findChannels(db, first.project.id)
  const last = await findLastIncidents(db, first.project.id)
  return placed.map((one) => toAlert(one, { channels, lastIncidentAt: last.get(one.row.id) }))
}

export async function describeAlert(db: Queryable, placed: PlacedAlert): Promise<Alert> {
  const [alert] = await toAlerts(db, [placed])
  if (alert === undefined) throw new Error('One alert gives one.')
  return alert
}

function toAlert(
  { row, environment }: PlacedAlert,
  { channels, lastIncidentAt }: { channels: readonly ChannelRow[]; lastIncidentAt: Date | undefined },
): Alert {
  return {
    id: row.id,
    name: row.name,
    env: environment.key,
    rule: row.rule,
    channels: channels.filter(({ id }) => row.channels.includes(id)).map(toChannelSummary),
    state: row.state,
    since: new Date(row.standing?.since ?? row.createdAt).toISOString(),
    seen: row.seen,
    mutedUntil: row.mutedUntil?.toISOString() ?? null,
    lastIncidentAt: lastIncidentAt?.toISOString() ?? null,
    createdBy: row.createdByName,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
  }
}

export function toIncident(row: IncidentRow): Static<typeof Incident> {
  const { id, ending, value, change, worst, summary, path, isMuted } = row
  return {
    id,
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    ending,
    value,
    change,
    worst,
    summary,
    path,
    isMuted,
  }
}

/** A change of an alert for the audit log. */
export function alertChange(
  verb: 'create' | 'update' | 'delete' | 'mute' | 'unmute' | 'fire' | 'recover' | 'lose-data',
  { before, after }: { before?: PlacedAlert; after?: PlacedAlert },
): EntityChange {
  const one = after ?? before
  if (one === undefined) throw new Error('A change of an alert is about one.')
  return {
    action: `alert.${verb}`,
    entity: { kind: 'alert', id: one.row.id, name: one.row.name },
    project: one.project,
    environment: one.environment,
    ...(before && { before: audited(before) }),
    ...(after && { after: audited(after) }),
  }
}

function audited({ row, environment }: PlacedAlert) {
  const { name, rule, channels, state, mutedUntil } = row
  return {
    name,
    environment: environment.key,
    rule,
    channels,
    state,
    mutedUntil: mutedUntil?.toISOString() ?? null,
  }
}
