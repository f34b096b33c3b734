// Flags, what they do in each environment, and what they answer for a context.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
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

/** Any JSON; a variation's fits the value type of its flag. */
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
  owner: Nullable(Id),
  permanent: Type.Boolean({ description: 'Meant to stay: never stale.' }),
  removeBy: Nullable(Type.String({ format: 'date' })),
  clientVisible: Type.Boolean({ description: 'Browsers may evaluate it.' }),
}

const optional = {
  description: Type.Optional(editable.description),
  variations: Type.Optional(editable.variations),
  valueSchema: Type.Optional(editable.valueSchema),
  tags: Type.Optional(editable.tags),
  owner: Type.Optional(editable.owner),
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
  owner: Nullable(Id),
  permanent: Type.Boolean(),
  removeBy: Nullable(Type.String()),
  clientVisible: Type.Boolean(),
  version: Version,
  createdAt: Instant,
  archivedAt: Nullable(Instant),
  managed: Type.Boolean(),
}

export const Flag = Type.Object(flagMembers)

const LifecycleState = Type.Enum(['new', 'live', 'rolled-out', 'stale', 'archived'])

/** Derived from what the flag does and when it was evaluated. */
export const Lifecycle = Type.Object({
  state: LifecycleState,
  because: Type.Enum(['archived', 'never-evaluated', 'not-evaluated', 'one-variation', 'evaluated']),
  since: Type.String({ format: 'date-time', description: 'When that began.' }),
  env: Nullable(Key),
  variation: Nullable(Key),
  lastEvaluatedAt: Nullable(Instant),
})

export const FlagSummary = Type.Object({
  env: Key,
  enabled: Type.Boolean(),
  version: Version,
  rules: Type.Integer({ description: 'How many rules there are.' }),
  serves: Type.Array(Type.Object({ variation: Key, weight: Weight }), {
    description: 'To whom no rule applies: one variation, or several by weight. Off: the off variation.',
  }),
  lastEvaluatedAt: Nullable(Instant),
  lifecycle: Lifecycle,
})

export const DescribedFlag = Type.Object({
  ...flagMembers,
  lifecycle: Lifecycle,
  environments: Type.Array(FlagSummary),
})

/** With the flags that stand on it: what is asked before it is archived. */
export const WholeFlag = Type.Object({
  ...DescribedFlag.properties,
  requiredBy: Type.Array(Type.Object({ flag: Key, env: Key, archived: Type.Boolean() }), {
    description: 'Flags that name it as a prerequisite, and where. Only archived ones let it be archived.',
  }),
})

/** What a reply says of conditions and splits is what was checked when it was saved. */
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
      { description: 'Whose change it was and who agreed, when it was made by way of a change request.' },
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
  summary: 'List the flags of a project by key, each with what it does in every environment.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    search: Type.Optional(
      Type.String({ maxLength: limits.nameLength, description: 'Part of the key or the name.' }),
    ),
    tag: Type.Optional(Tag),
    archived: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
    owner: Type.Optional(Id),
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
  summary: 'Show one flag, with what it does in every environment.',
  permission: 'project.view',
  versioned: true,
  reply: WholeFlag,
})

export const updateFlag = call({
  method: 'PATCH',
  path: flagPath,
  summary: 'Change a flag; what is left out stays. A variation in use cannot be removed.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({ ...FlagChange.properties, endsEvidenceOf: Type.Optional(EndsEvidenceOf) }),
  reply: Flag,
  errors: ['in-use', 'managed', 'guard-running'],
})

export const archiveFlag = call({
  method: 'POST',
  path: '/api/v1/projects/:project/flags/:flag/archive',
  summary: 'Take a flag out of every rule set. It can be restored.',
  permission: 'flags.change',
  reply: Flag,
  errors: ['in-use', 'managed'],
})

export const restoreFlag = call({
  method: 'POST',
  path: '/api/v1/projects/:project/flags/:flag/restore',
  summary: 'Bring an archived flag back, as it was.',
  permission: 'flags.change',
  reply: Flag,
  errors: ['managed', ...configErrors],
})

export const deleteFlag = call({
  method: 'DELETE',
  path: flagPath,
  summary:
    'Delete an archived flag with its configurations: a week after its last evaluation, or with its key typed out.',
  permission: 'flags.change',
  status: 204,
  query: Strict({ confirm: Type.Optional(Key) }),
  reply: Nothing,
  errors: ['in-use', 'managed'],
})

export const getFlagConfig = call({
  method: 'GET',
  path: configPath,
  summary: 'Show what a flag does in an environment.',
  permission: 'project.view',
  versioned: true,
  reply: SavedFlagConfig,
})

export const saveFlagConfig = call({
  method: 'PUT',
  path: configPath,
  summary: 'Save what a flag does in an environment, as the version after the one it started from.',
  permission: 'flags.change',
  versioned: true,
  idempotent: true,
  body: Strict({
    ...GivenConfig.properties,
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'The version it started from, unless `If-Match` says so.' }),
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
  summary: 'Show a configuration as it was in one version.',
  permission: 'project.view',
  reply: Type.Object({ ...versionMembers, config: SavedFlagConfig }),
})

export const restoreFlagConfigVersion = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/config/versions/:version/restore',
  summary: 'Save an old version again, as a new one.',
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
  summary: 'Save the configuration of another environment here.',
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
  summary: 'Try flags for a context: what each serves, and every step that led there. Counts nothing.',
  permission: 'project.view',
  body: Strict({
    context: Type.Record(Type.String(), Type.Unknown()),
    flags: Type.Optional(
      Type.Array(Key, { minItems: 1, maxItems: limits.pageSizeMaximum, description: 'Default: all.' }),
    ),
    draft: Type.Optional(
      Type.Object(GivenConfig.properties, {
        additionalProperties: false,
        description: 'Answers as if this were saved. Then `flags` names the one flag that it is of.',
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
