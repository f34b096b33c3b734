// The tables of the control plane: the only source of row types, migrations and the reference of entities.

import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { PrivacyRule, RequestRule, ScrubRules } from '@telltale/core/contract/environments'
import type { Arm, FlagConfig, FlagConfigDraft, Rule, Serve } from '@telltale/core/contract/flag-config'
import type {
  FlagsmithEnvironment,
  FlagsmithFeature,
  FlagsmithSegment,
} from '@telltale/core/contract/flagsmith'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Static } from 'typebox'
import { users } from './account-schema.ts'
import type { AuditActor } from './audit-schema.ts'
import { createdAt, id, instant, managed, sessionRules, signedUsersMode, toolbarSecret } from './columns.ts'
import { signInProviders } from './sign-in-provider-schema.ts'

/** One row: what the installation knows about itself. */
export const installation = pgTable('installation', {
  id: integer('id').primaryKey().default(1),
  /** The one-time code of `/setup`; null once the owner exists. */
  setupCode: text('setup_code'),
  setupAt: instant('setup_at'),
  /** When the project was made in which the console is its own customer. It may have been deleted since. */
  ownProjectMadeAt: instant('own_project_made_at'),
  /** What links in mail and messages begin with, when no setting says it. */
  publicUrl: text('public_url'),
  ...sessionRules(),
  singleSignOnOnly: boolean('single_sign_on_only').notNull().default(false),
  singleSignOnManaged: boolean('single_sign_on_managed').notNull().default(false),
  /** The owner who may still use a password. */
  breakGlassOwner: uuid('break_glass_owner').references(() => users.id, { onDelete: 'set null' }),
  createdAt: createdAt(),
})

export const projects = pgTable(
  'projects',
  {
    id: id(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    managed: managed(),
    /** What its telemetry may take on disk; null: as much as there is. */
    telemetryBudget: bigint('telemetry_budget_bytes', { mode: 'number' }),
    /** The project with the telemetry of the console itself. */
    own: boolean('own').notNull().default(false),
    /** Address of a trace in another tool, with `{traceId}`. */
    traceLink: text('trace_link'),
  },
  (table) => [uniqueIndex('projects_key').on(table.key)],
)

const projectId = () =>
  uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })

export const memberships = pgTable(
  'memberships',
  {
    projectId: projectId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    createdAt: createdAt(),
    managed: managed(),
    /** The sign-in provider whose groups gave the role. */
    roleFrom: uuid('role_from').references(() => signInProviders.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ name: 'memberships_pk', columns: [table.projectId, table.userId] }),
    index('memberships_user').on(table.userId),
  ],
)

export const invitations = pgTable(
  'invitations',
  {
    id: id(),
    projectId: projectId(),
    email: text('email').notNull(),
    role: text('role').notNull(),
    tokenHash: text('token_hash').notNull(),
    invitedBy: uuid('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    acceptedAt: instant('accepted_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    uniqueIndex('invitations_token').on(table.tokenHash),
    index('invitations_project').on(table.projectId, table.id),
  ],
)

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null: every project the owner can see. */
    projectId: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    uniqueIndex('api_tokens_hash').on(table.hash),
    index('api_tokens_owner').on(table.ownerId, table.id),
    index('api_tokens_project').on(table.projectId, table.id),
  ],
)

export const environments = pgTable(
  'environments',
  {
    id: id(),
    projectId: projectId(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    colour: text('colour', {
      enum: ['grey', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'violet'],
    }).notNull(),
    position: integer('position').notNull(),
    timeZone: text('time_zone').notNull(),
    protected: boolean('protected').notNull(),
    approvalRequired: boolean('approval_required').notNull(),
    approvals: integer('approvals').notNull().default(1),
    ownerApproval: boolean('owner_approval').notNull().default(false),
    allowedOrigins: text('allowed_origins').array().notNull(),
    /** Percent of sessions. */
    samplingSession: real('sampling_session').notNull(),
    samplingReplay: real('sampling_replay').notNull(),
    samplingProfile: real('sampling_profile').notNull(),
    recordingOrders: boolean('recording_orders').notNull().default(true),
    privacyLevel: text('privacy_level', { enum: ['mask-all', 'mask-inputs', 'allow'] }).notNull(),
    /** Whether the page and unmask rules may show text that the level masks. */
    unmaskAllowed: boolean('unmask_allowed').notNull().default(false),
    privacyRules: jsonb('privacy_rules').$type<PrivacyRule[]>().notNull().default([]),
    consoleRecorded: boolean('console_recorded').notNull().default(false),
    /** Requests whose details replays contain. */
    requestRules: jsonb('request_rules').$type<RequestRule[]>().notNull().default([]),
    signedUsers: signedUsersMode('signed_users'),
    /** Whether sessions are sampled while far more events than usual arrive. */
    spikeProtection: boolean('spike_protection').notNull().default(true),
    /** Never stored with an identity. */
    privateTraits: text('private_traits').array().notNull().default([]),
    /** Shown to maintainers and admins alone. */
    sensitiveTraits: text('sensitive_traits').array().notNull().default([]),
    /** Since when its people are divided into two hidden halves; null while they are not. */
    aaTestSince: instant('aa_test_since'),
    /** The number of the draw that began then; while it is off, of the last one. */
    aaTestRound: integer('aa_test_round').notNull().default(0),
    retentionEvents: integer('retention_events_days').notNull(),
    retentionReplays: integer('retention_replays_days').notNull(),
    retentionProfiles: integer('retention_profiles_days').notNull(),
    retentionExposures: integer('retention_exposures_days').notNull(),
    /** What telemetry loses beside what it always loses. */
    scrub: jsonb('scrub')
      .$type<ScrubRules>()
      .notNull()
      .default({ parameters: [], attributes: [], expressions: [] }),
    /** Of one that was imported from there. */
    flagsmith: jsonb('flagsmith').$type<FlagsmithEnvironment>(),
    toolbarSecret: toolbarSecret(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    managed: managed(),
  },
  (table) => [uniqueIndex('environments_key').on(table.projectId, table.key)],
)

export const sdkKeys = pgTable(
  'sdk_keys',
  {
    id: id(),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: ['client', 'server'] }).notNull(),
    label: text('label').notNull(),
    hash: text('hash').notNull(),
    prefix: text('prefix').notNull(),
    /** The whole key of a client, public by nature; null for server keys. */
    value: text('value'),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
    managed: managed(),
  },
  (table) => [
    uniqueIndex('sdk_keys_hash').on(table.hash),
    index('sdk_keys_environment').on(table.environmentId, table.id),
  ],
)

/** What the setup file has made or found once. It is not made again, so that a restart undoes no removal. */
export const provisioned = pgTable('provisioned', {
  /** Kind and keys, such as `environment web/production`. */
  identity: text('identity').primaryKey(),
  createdAt: createdAt(),
})

export interface FlagVariation {
  key: string
  name: string
  value: unknown
}

export const flags = pgTable(
  'flags',
  {
    id: id(),
    projectId: projectId(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    valueType: text('value_type', { enum: ['boolean', 'string', 'number', 'json'] }).notNull(),
    variations: jsonb('variations').$type<FlagVariation[]>().notNull(),
    /** A JSON Schema that every value must fit; null for none. */
    valueSchema: jsonb('value_schema').$type<object>(),
    tags: text('tags').array().notNull(),
    owners: uuid('owners').array().notNull().default([]),
    ownerTeams: uuid('owner_teams').array().notNull().default([]),
    permanent: boolean('permanent').notNull(),
    removeBy: date('remove_by', { mode: 'string' }),
    clientVisible: boolean('client_visible').notNull(),
    flagsmith: jsonb('flagsmith').$type<FlagsmithFeature>(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    archivedAt: instant('archived_at'),
    managed: managed(),
  },
  (table) => [uniqueIndex('flags_key').on(table.projectId, table.key)],
)

const flagId = () =>
  uuid('flag_id')
    .notNull()
    .references(() => flags.id, { onDelete: 'cascade' })

const environmentId = () =>
  uuid('environment_id')
    .notNull()
    .references(() => environments.id, { onDelete: 'cascade' })

/** What a flag does in an environment, as it is now. */
export const flagConfigs = pgTable(
  'flag_configs',
  {
    flagId: flagId(),
    environmentId: environmentId(),
    enabled: boolean('enabled').notNull(),
    offVariation: text('off_variation').notNull(),
    prerequisites: jsonb('prerequisites').$type<FlagConfigDraft['prerequisites']>().notNull(),
    rules: jsonb('rules').$type<Static<typeof Rule>[]>().notNull(),
    fallthrough: jsonb('fallthrough').$type<Static<typeof Serve>>().notNull(),
    salt: text('salt').notNull(),
    version: integer('version').notNull(),
    savedAt: instant('saved_at').notNull(),
    /** Since which save it serves everyone one and the same variation; null while it serves several. */
    oneVariationSince: instant('one_variation_since'),
  },
  (table) => [
    primaryKey({ name: 'flag_configs_pk', columns: [table.flagId, table.environmentId] }),
    index('flag_configs_environment').on(table.environmentId),
  ],
)

/** Every version that was ever saved, to look back at and to return to. */
export const flagConfigVersions = pgTable(
  'flag_config_versions',
  {
    flagId: flagId(),
    environmentId: environmentId(),
    version: integer('version').notNull(),
    config: jsonb('config').$type<FlagConfig>().notNull(),
    actor: jsonb('actor').$type<AuditActor>().notNull(),
    reason: text('reason'),
    /** Author and approver, if made through a change request. */
    changeRequest: jsonb('change_request').$type<{ id: string; author: string; approvedBy: string }>(),
    savedAt: instant('saved_at').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'flag_config_versions_pk',
      columns: [table.flagId, table.environmentId, table.version],
    }),
  ],
)

/** One bucketed choice: a flag's rule (or its fallthrough) in an environment. The id is what telemetry names. */
export const splits = pgTable(
  'splits',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    flagId: flagId(),
    environmentId: environmentId(),
    /** The rule's id, or `fallthrough`. */
    place: text('place').notNull(),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('splits_place').on(table.environmentId, table.flagId, table.place)],
)

/** The weights of a split from when to when. */
export const splitEpochs = pgTable(
  'split_epochs',
  {
    splitId: bigint('split_id', { mode: 'bigint' })
      .notNull()
      .references(() => splits.id, { onDelete: 'cascade' }),
    epoch: integer('epoch').notNull(),
    by: text('by').notNull(),
    arms: jsonb('arms').$type<Arm[]>().notNull(),
    startedAt: instant('started_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (table) => [primaryKey({ name: 'split_epochs_pk', columns: [table.splitId, table.epoch] })],
)

/** Subjects who get one variation whatever the rules say. */
export const identityOverrides = pgTable(
  'identity_overrides',
  {
    environmentId: environmentId(),
    flagId: flagId(),
    targetingKey: text('targeting_key').notNull(),
    variation: text('variation').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({
      name: 'identity_overrides_pk',
      columns: [table.environmentId, table.flagId, table.targetingKey],
    }),
    index('identity_overrides_subject').on(table.environmentId, table.targetingKey),
  ],
)

export const segments = pgTable(
  'segments',
  {
    id: id(),
    projectId: projectId(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    conditions: jsonb('conditions').$type<ConditionGroup>().notNull(),
    flagsmith: jsonb('flagsmith').$type<FlagsmithSegment>(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    managed: managed(),
  },
  (table) => [uniqueIndex('segments_key').on(table.projectId, table.key)],
)

/** End users by their targeting key, with the traits of the last context seen. */
export const identities = pgTable(
  'identities',
  {
    environmentId: environmentId(),
    targetingKey: text('targeting_key').notNull(),
    traits: jsonb('traits').$type<Record<string, unknown>>().notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'identities_pk', columns: [table.environmentId, table.targetingKey] }),
    index('identities_last_seen').on(table.environmentId, table.lastSeenAt, table.targetingKey),
    index('identities_prefix').on(table.environmentId, table.targetingKey.op('text_pattern_ops')),
    index('identities_traits').using('gin', table.traits.op('jsonb_path_ops')),
  ],
)
