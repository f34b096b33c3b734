// Flags, their configuration in each environment, and their evaluation for a context.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { lifecycleStates } from '../states/lifecycle.ts'
import { call } from './call.ts'
import { OpenedChangeRequest } from './change-requests.ts'
import { GivenConfig, Prerequisite, type Rule, type Serve, Weight } from './flag-config.ts'
import {
  EndsEvidenceOf,
  Id,
  Instant,
  Key,
  Name,
  Nothing,
  Nullable,
  Page,
  pageQuery,
  Reason,
  Strict,
  Version,
} from './parameters.ts'
import type { Trace } from './trace.ts'

const ValueType = Type.Enum(['boolean', 'string', 'number', 'json'])
const Description = Type.String({ maxLength: limits.descriptionLength })
const Tag = Type.String({ minLength: 1, maxLength: limits.tagLength, pattern: '\\S' })

/** Any JSON; a variation's value has the value type of its flag. */
const Value = Type.Unknown()

const VariationDraft = Strict({ key: Key, name: Type.Optional(Name), value: Value })
const Variations = Type.Array(VariationDraft, { minItems: 1, maxItems: limits.variationsPerFlag })

const editable = {
  description: Description,
  variations: Variations,
  valueSchema: Nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON Schema that every value must fit.' }),
  ),
  tags: Type.Array(Tag, { maxItems: limits.tagsPerFlag, uniqueItems: true }),
  owners: Type.Array(Id, {
    maxItems: limits.ownersPerFlag,
    uniqueItems: true,
    description: 'Accounts that answer for the flag. Environments may require the approval of one of them.',
  }),
  ownerTeams: Type.Array(Id, {
    maxItems: limits.ownersPerFlag,
    uniqueItems: true,
    description: 'Teams that answer for the flag. The approval of one member counts as that of an owner.',
  }),
  permanent: Type.Boolean({ description: 'Permanent flags are never stale.' }),
  removeBy: Nullable(Type.String({ format: 'date' })),
  clientVisible: Type.Boolean({ description: 'Available to browsers.' }),
}

const optional = {
  description: Type.Optional(editable.description),
  variations: Type.Optional(editable.variations),
  valueSchema: Type.Optional(editable.valueSchema),
  tags: Type.Optional(editable.tags),
  owners: Type.Optional(editable.owners),
  ownerTeams: Type.Optional(editable.ownerTeams),
  permanent: Type.Optional(editable.permanent),
  removeBy: Type.Optional(editable.removeBy),
  clientVisible: Type.Optional(editable.clientVisible),
}

export const FlagDraft = Strict({ key: Key, name: Name, valueType: ValueType, ...optional })
export const FlagChange = Strict({ name: Type.Optional(Name), ...optional })

export type FlagDraft = Static<typeof FlagDraft>
export type FlagChange = Static<typeof FlagChange>

const flagMembers = {
  id: Id,
  key: Key,
  name: Name,
  description: Type.String(),
  valueType: ValueType,
  variations: Type.Array(Type.Object({ key: Key, name: Name, value: Value })),
  valueSchema: Type.Unsafe<object | null>({ description: 'A JSON Schema, or null.' }),
  tags: Type.Array(Type.String()),
  owners: Type.Array(Id),
  ownerTeams: Type.Array(Id),
  permanent: Type.Boolean(),
  removeBy: Nullable(Type.String()),
  clientVisible: Type.Boolean(),
  version: Version,
  createdAt: Instant,
  archivedAt: Nullable(Instant),
  managed: Type.Boolean(),
}

export const Flag = Type.Object(flagMembers)

const LifecycleState = Type.Enum(lifecycleStates)

/** Derived from what the flag does and when it was evaluated. */
export const Lifecycle = Type.Object({
  state: LifecycleState,
  because: Type.Enum(['archived', 'never-evaluated', 'not-evaluated', 'one-variation', 'evaluated']),
  since: Type.String({ format: 'date-time', description: 'Since when.' }),
  env: Nullable(Key),
  variation: Nullable(Key),
  lastEvaluatedAt: Nullable(Instant),
})

export const FlagSummary = Type.Object({
  env: Key,
  enabled: Type.Boolean(),
  version: Version,
  rules: Type.Integer({ description: 'Number of rules.' }),
  serves: Type.Array(Type.Object({ variation: Key, weight: Weight }), {
    description:
      'Served when no rule matches: one variation, or several by weight. When off: the off variation.',
  }),
  lastEvaluatedAt: Nullable(Instant),
  lifecycle: Lifecycle,
})

export const DescribedFlag = Type.Object({
  ...flagMembers,
  lifecycle: Lifecycle,
  environments: Type.Array(FlagSummary),
})

/** With the flags that require it, which have to be archived first. */
export const WholeFlag = Type.Object({
  ...DescribedFlag.properties,
  requiredBy: Type.Array(Type.Object({ flag: Key, env: Key, archived: Type.Boolean() }), {
    description: 'Flags that require it, and where. It can be archived when all of them are.',
  }),
})

/** Conditions and splits in a reply were validated when they were saved. */
const open = { additionalProperties: true } as const

export const SavedFlagConfig = Type.Object({
  enabled: Type.Boolean(),
  offVariation: Key,
  prerequisites: Type.Array(Prerequisite),
  rules: Type.Unsafe<Rule[]>(Type.Array(Type.Object({}, open))),
  fallthrough: Type.Unsafe<Serve>(Type.Object({}, open)),
  salt: Type.String(),
  version: Version,
  savedAt: Instant,
})

const versionMembers = {
  version: Version,
  savedAt: Instant,
  actor: Type.Object({ kind: Type.String(), id: Nullable(Type.String()), name: Type.String() }),
  reason: Nullable(Type.String()),
  changeRequest: Nullable(
    Type.Object(
      { id: Id, author: Type.String(), approvedBy: Type.String() },
      { description: 'Author and approver, if made through a change request.' },
    ),
  ),
}

export const FlagConfigVersion = Type.Object(versionMembers)

export const ExplainedFlag = Type.Object({
  flag: Key,
  value: Type.Optional(Value),
  variation: Nullable(Key),
  reason: Type.String(),
  ruleId: Nullable(Type.String()),
  prerequisite: Nullable(Type.String()),
  overridden: Type.Boolean(),
  errorCode: Nullable(Type.String()),
  trace: Type.Unsafe<Trace>(Type.Object({}, open)),
})

const flagsPath = '/api/v1/projects/:project/flags'
const flagPath = '/api/v1/projects/:project/flags/:flag'
const configPath = '/api/v1/projects/:project/environments/:env/flags/:flag/config'
export const configErrors = [
  'invalid-rule',
  'invalid-weights',
  'prerequisite-cycle',
  'flag-not-found',
] as const

export const listFlags = call({
  method: 'GET',
  path: flagsPath,
  summary: 'List the flags of a project by key, with their state in every environment.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    search: Type.Optional(
      Type.String({ maxLength: limits.nameLength, description: 'Part of the key or the name.' }),
    ),
    tag: Type.Optional(Tag),
    archived: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
    owner: Type.Optional({ ...Id, description: 'An account or a team.' }),
    mine: Type.Optional(
      Type.Boolean({ description: 'Owned by the caller or one of their teams. Default: false.' }),
    ),
    type: Type.Optional(ValueType),
    lifecycle: Type.Optional(LifecycleState),
  }),
  reply: Page(DescribedFlag),
})

export const createFlag = call({
  method: 'POST',
  path: flagsPath,
  summary: 'Create a flag, off in every environment. A boolean flag needs no variations.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: FlagDraft,
  reply: Flag,
  errors: ['already-exists', 'in-use'],
})

export const getFlag = call({
  method: 'GET',
  path: flagPath,
  summary: 'Show one flag with its state in every environment.',
  permission: 'project.view',
  versioned: true,
  reply: WholeFlag,
})

export const updateFlag = call({
  method: 'PATCH',
  path: flagPath,
  summary: 'Change a flag; omitted members stay unchanged. A variation in use cannot be removed.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({ ...FlagChange.properties, endsEvidenceOf: Type.Optional(EndsEvidenceOf) }),
  reply: Flag,
  errors: ['in-use', 'managed', 'guard-running'],
})

export const archiveFlag = call({
  method: 'POST',
  path: '/api/v1/projects/:project/flags/:flag/archive',
  summary: 'Archive a flag: no environment serves it. It can be restored.',
  permission: 'flags.change',
  reply: Flag,
  errors: ['in-use', 'managed'],
})

export const restoreFlag = call({
  method: 'POST',
  path: '/api/v1/projects/:project/flags/:flag/restore',
  summary: 'Restore an archived flag with its configurations.',
  permission: 'flags.change',
  reply: Flag,
  errors: ['managed', ...configErrors],
})

export const deleteFlag = call({
  method: 'DELETE',
  path: flagPath,
  summary:
    'Delete an archived flag with its configurations: one week after its last evaluation, or confirmed by its key.',
  permission: 'flags.change',
  status: 204,
  query: Strict({ confirm: Type.Optional(Key) }),
  reply: Nothing,
  errors: ['in-use', 'managed'],
})

export const getFlagConfig = call({
  method: 'GET',
  path: configPath,
  summary: 'Show the configuration of a flag in an environment.',
  permission: 'project.view',
  versioned: true,
  reply: SavedFlagConfig,
})

export const saveFlagConfig = call({
  method: 'PUT',
  path: configPath,
  summary: 'Save the configuration of a flag in an environment as a new version.',
  permission: 'flags.change',
  versioned: true,
  idempotent: true,
  body: Strict({
    ...GivenConfig.properties,
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The version it is based on, unless sent as `If-Match`.' }),
    ),
    reason: Type.Optional(Reason),
    endsEvidenceOf: Type.Optional(EndsEvidenceOf),
  }),
  reply: SavedFlagConfig,
  accepted: OpenedChangeRequest,
  errors: ['in-use', 'guard-running', ...configErrors],
})

export const listFlagConfigVersions = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/config/versions',
  summary: 'List the saved versions of a configuration, newest first.',
  permission: 'project.view',
  query: Strict(pageQuery),
  reply: Page(FlagConfigVersion),
})

export const getFlagConfigVersion = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/config/versions/:version',
  summary: 'Show one version of a configuration.',
  permission: 'project.view',
  reply: Type.Object({ ...versionMembers, config: SavedFlagConfig }),
})

export const restoreFlagConfigVersion = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/config/versions/:version/restore',
  summary: 'Restore an old version as a new one.',
  permission: 'flags.change',
  versioned: true,
  idempotent: true,
  body: Strict({ reason: Type.Optional(Reason), endsEvidenceOf: Type.Optional(EndsEvidenceOf) }),
  reply: SavedFlagConfig,
  accepted: OpenedChangeRequest,
  errors: ['version-conflict', 'in-use', 'guard-running', ...configErrors],
})

export const copyFlagConfig = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/config/copy',
  summary: 'Copy the configuration from another environment.',
  permission: 'flags.change',
  versioned: true,
  idempotent: true,
  body: Strict({
    from: Key,
    reason: Type.Optional(Reason),
    endsEvidenceOf: Type.Optional(EndsEvidenceOf),
  }),
  reply: SavedFlagConfig,
  accepted: OpenedChangeRequest,
  errors: ['version-conflict', 'in-use', 'guard-running', ...configErrors],
})

export const evaluateFlags = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/evaluate',
  summary: 'Test flags with a context: the value of each, with a trace of the evaluation. Not counted.',
  permission: 'project.view',
  body: Strict({
    context: Type.Record(Type.String(), Type.Unknown()),
    flags: Type.Optional(
      Type.Array(Key, { minItems: 1, maxItems: limits.pageSizeMaximum, description: 'Default: all.' }),
    ),
    draft: Type.Optional(
      Type.Object(GivenConfig.properties, {
        additionalProperties: false,
        description: 'Evaluate with this draft. `flags` must then name its flag only.',
      }),
    ),
  }),
  reply: Type.Object({ items: Type.Array(ExplainedFlag) }),
  errors: configErrors,
})

export const flagCalls = {
  listFlags,
  createFlag,
  getFlag,
  updateFlag,
  archiveFlag,
  restoreFlag,
  deleteFlag,
  getFlagConfig,
  saveFlagConfig,
  listFlagConfigVersions,
  getFlagConfigVersion,
  restoreFlagConfigVersion,
  copyFlagConfig,
  evaluateFlags,
}
