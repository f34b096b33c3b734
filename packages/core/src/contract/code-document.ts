// Flags as code: one document per file, and all files of a folder together describe a project. What a document does
// not name stays as it is. Members that are left out of an entry have their default.

import { type Static, Type } from 'typebox'
import { codeFilesTitle } from '../code-kinds.ts'
import { limits } from '../limits.ts'
import { createAlert } from './alerts.ts'
import { ConditionGroup } from './conditions.ts'
import {
  AlertTile,
  ExploreTile,
  FunnelTile,
  ImpactTile,
  RolloutTile,
  TextTile,
  VitalsTile,
} from './dashboard-tiles.ts'
import { DashboardDraft } from './dashboards.ts'
import { FlagConfigDraft } from './flag-config.ts'
import { FlagDraft } from './flags.ts'
import { createMetric } from './metrics.ts'
import { Email, Key, Name, Strict } from './parameters.ts'
import { createRolloutTemplate } from './rollout-templates.ts'

const closed = { additionalProperties: false } as const
const { offVariation, prerequisites, rules, fallthrough } = FlagConfigDraft.properties

export const CodeConfig = Strict({
  enabled: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
  offVariation: Type.Optional({ ...offVariation, description: 'Default: `off`, or the first variation.' }),
  prerequisites: Type.Optional(prerequisites),
  rules: Type.Optional(rules),
  fallthrough: Type.Optional(fallthrough),
})

export type CodeConfig = Static<typeof CodeConfig>

const { key: _flagKey, owners: _owners, ownerTeams: _teams, ...flagMembers } = FlagDraft.properties

export const CodeFlag = Strict({
  ...flagMembers,
  owners: Type.Optional(
    Type.Array(Email, {
      maxItems: limits.ownersPerFlag,
      uniqueItems: true,
      description: 'E-mail addresses of accounts.',
    }),
  ),
  owner: Type.Optional({ ...Email, description: 'The same as `owners` with one address.' }),
  ownerTeams: Type.Optional(
    Type.Array(Key, {
      maxItems: limits.ownersPerFlag,
      uniqueItems: true,
      description: 'Keys of teams.',
    }),
  ),
  environments: Type.Optional(
    Type.Record(Key, CodeConfig, {
      ...closed,
      description: 'By the key of the environment. Others are left unchanged.',
    }),
  ),
})

export type CodeFlag = Static<typeof CodeFlag>

export const CodeSegment = Strict({
  name: Name,
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  when: ConditionGroup,
})

export type CodeSegment = Static<typeof CodeSegment>

const { key: _metricKey, ...metricMembers } = createMetric.body.properties

export const CodeMetric = Strict(metricMembers)

export type CodeMetric = Static<typeof CodeMetric>

const { key: _templateKey, ...templateMembers } = createRolloutTemplate.body.properties

export const CodeRolloutTemplate = Strict(templateMembers)

export type CodeRolloutTemplate = Static<typeof CodeRolloutTemplate>

const { name: _alertName, channels: _channels, ...alertMembers } = createAlert.body.properties

export const CodeAlert = Strict({
  ...alertMembers,
  channels: Type.Optional(
    Type.Array(Name, {
      maxItems: limits.alertChannels,
      uniqueItems: true,
      description: 'Names of channels. Their addresses and secrets are set in the console.',
    }),
  ),
})

export type CodeAlert = Static<typeof CodeAlert>

/** The id of a tile is its server's. */
function withoutId<Properties extends { id: unknown }>({ id: _id, ...members }: Properties) {
  return members
}

const { alert: _alert, ...alertTile } = withoutId(AlertTile.properties)

const CodeTile = Type.Union([
  Strict(withoutId(ExploreTile.properties)),
  Strict(withoutId(VitalsTile.properties)),
  Strict(withoutId(FunnelTile.properties)),
  Strict(withoutId(ImpactTile.properties)),
  Strict(withoutId(RolloutTile.properties)),
  Strict({ ...alertTile, alert: { ...Name, description: 'The name of an alert.' } }),
  Strict(withoutId(TextTile.properties)),
])

export type CodeTile = Static<typeof CodeTile>

const { name: _dashboardName, tiles: _tiles, description, ...dashboardMembers } = DashboardDraft.properties

export const CodeDashboard = Strict({
  ...dashboardMembers,
  description: Type.Optional(description),
  tiles: Type.Array(CodeTile, { maxItems: limits.dashboardTiles }),
})

export type CodeDashboard = Static<typeof CodeDashboard>

export const CodeDocument = Strict({
  $schema: Type.Optional(Type.String({ description: 'For editors. Ignored.' })),
  flags: Type.Optional(Type.Record(Key, CodeFlag, { ...closed, description: 'By key.' })),
  segments: Type.Optional(Type.Record(Key, CodeSegment, { ...closed, description: 'By key.' })),
  metrics: Type.Optional(Type.Record(Key, CodeMetric, { ...closed, description: 'Custom metrics, by key.' })),
  rolloutTemplates: Type.Optional(
    Type.Record(Key, CodeRolloutTemplate, { ...closed, description: 'Plans of guarded rollouts, by key.' }),
  ),
  alerts: Type.Optional(Type.Record(Name, CodeAlert, { ...closed, description: 'By name.' })),
  dashboards: Type.Optional(Type.Record(Name, CodeDashboard, { ...closed, description: 'By name.' })),
})

export type CodeDocument = Static<typeof CodeDocument>

/** The JSON Schema of a file, for editors. */
export function describeCodeDocument(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: codeFilesTitle,
    description:
      'Flags, segments, metrics, rollout templates, alerts and dashboards of a project, for `telltale plan` and `apply`.',
    ...CodeDocument,
  }
}
