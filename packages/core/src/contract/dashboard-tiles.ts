// The tiles of dashboards: what each one shows, and its data.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { exploreMeasures, numericFields } from '../query/filter-fields.ts'
import { Alert } from './alerts.ts'
import { ExploredKind, explore } from './explore.ts'
import { funnelMembers, measureFunnel } from './funnels.ts'
import { getFlagImpact } from './impact.ts'
import { Filter, period, Step, Vital } from './measured.ts'
import { Id, Key, Nullable, Strict } from './parameters.ts'
import { RolloutSummary } from './rollouts.ts'

export const tileHeights = ['small', 'medium', 'large'] as const
export const tileCharts = ['line', 'bar', 'table', 'number'] as const

const placed = {
  id: Id,
  title: Type.String({
    maxLength: limits.nameLength,
    description: 'Empty: the tile is named after what it shows.',
  }),
  width: Type.Union([Type.Literal(3), Type.Literal(4), Type.Literal(6), Type.Literal(8), Type.Literal(12)], {
    description: 'Columns of twelve; on a phone, a tile has the whole width.',
  }),
  height: Type.Enum([...tileHeights]),
}

export const ExploreTile = Strict({
  ...placed,
  kind: Type.Literal('explore'),
  chart: Type.Enum([...tileCharts], { description: 'A number shows its change from the previous period.' }),
  event: Type.Optional(ExploredKind),
  measure: Type.Enum([...exploreMeasures]),
  field: Type.Optional(Type.Enum([...numericFields], { description: 'For percentiles, means and sums.' })),
  part: Type.Optional(Filter),
  by: Type.Optional(
    Type.String({ minLength: 1, maxLength: 600, description: 'Up to two fields, separated by a comma.' }),
  ),
  top: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.exploreGroups })),
  step: Type.Optional(Step),
  filter: Type.Optional(Filter),
})
export type ExploreTile = Static<typeof ExploreTile>

export const VitalsTile = Strict({ ...placed, kind: Type.Literal('vitals'), filter: Type.Optional(Filter) })
export type VitalsTile = Static<typeof VitalsTile>

const { steps, unit, window, by } = funnelMembers
export const FunnelTile = Strict({
  ...placed,
  ...{ kind: Type.Literal('funnel'), steps, unit, window, by },
  filter: Type.Optional(Filter),
})
export type FunnelTile = Static<typeof FunnelTile>

export const ImpactTile = Strict({
  ...placed,
  kind: Type.Literal('impact'),
  flag: Key,
  metric: Type.Optional(Type.Unsafe<string>({ ...Key, description: 'Default: every metric.' })),
})
export type ImpactTile = Static<typeof ImpactTile>

export const RolloutTile = Strict({ ...placed, kind: Type.Literal('rollout'), flag: Key })
export type RolloutTile = Static<typeof RolloutTile>

export const AlertTile = Strict({ ...placed, kind: Type.Literal('alert'), alert: Id })
export type AlertTile = Static<typeof AlertTile>

export const TextTile = Strict({
  ...placed,
  kind: Type.Literal('text'),
  text: Type.String({ maxLength: limits.dashboardTextLength, description: 'Markdown.' }),
})
export type TextTile = Static<typeof TextTile>

export const Tile = Type.Union([
  ExploreTile,
  VitalsTile,
  FunnelTile,
  ImpactTile,
  RolloutTile,
  AlertTile,
  TextTile,
])
export type Tile = Static<typeof Tile>

const { total } = explore.reply.properties
const { compared } = getFlagImpact.reply.properties
const { channels: _channels, createdBy: _createdBy, version: _version, ...alertMembers } = Alert.properties
const {
  startedBy: _startedBy,
  turn: _turn,
  telltale: _telltale,
  ...rolloutMembers
} = RolloutSummary.properties

/** What a tile shows. It names no member, so that it can be shown to anyone who may see the dashboard. */
export const TileData = Type.Union([
  Type.Object({
    kind: Type.Literal('explore'),
    now: explore.reply,
    before: Nullable(Type.Object(total.properties, { description: 'The previous period, for a number.' })),
  }),
  Type.Object({
    kind: Type.Literal('vitals'),
    ...period,
    now: Type.Array(Vital),
    before: Type.Array(Vital, { description: 'The previous period.' }),
  }),
  Type.Object({ kind: Type.Literal('funnel'), now: measureFunnel.reply }),
  Type.Object({
    kind: Type.Literal('impact'),
    flag: Type.Object({ key: Key, name: Type.String() }),
    compared,
  }),
  Type.Object({
    kind: Type.Literal('rollout'),
    flag: Type.Object({ key: Key, name: Type.String() }),
    rollout: Nullable(Type.Object(rolloutMembers, { description: 'The newest of the flag.' })),
  }),
  Type.Object({ kind: Type.Literal('alert'), alert: Type.Object(alertMembers) }),
  Type.Object({ kind: Type.Literal('text') }),
  Type.Object({
    kind: Type.Literal('missing'),
    what: Type.Enum(['flag', 'metric', 'alert']),
    key: Type.String({ description: 'The key or id that the tile names.' }),
  }),
])
export type TileData = Static<typeof TileData>
