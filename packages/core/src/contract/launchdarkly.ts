// Documents of LaunchDarkly: what its API lists (`GET /api/v2/flags/{project}` and `/api/v2/segments/{project}/{env}`),
// and what its server SDKs read. Members not listed here are ignored.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { OptionalOrNull } from './parameters.ts'

const Text = Type.String({ maxLength: limits.importedTextLength })
const Name = Type.String({ minLength: 1, maxLength: limits.importedTextLength })
const maxItems = limits.importedFlagParts
const Index = Type.Integer({ minimum: 0, maximum: maxItems })

const Clause = Type.Object({
  attribute: OptionalOrNull(Text),
  contextKind: OptionalOrNull(Text),
  op: Text,
  negate: OptionalOrNull(Type.Boolean()),
  values: Type.Array(Type.Unknown(), { maxItems: limits.importedListItems }),
})
const Clauses = Type.Array(Clause, { maxItems })

const Rollout = Type.Object({
  kind: OptionalOrNull(Text),
  contextKind: OptionalOrNull(Text),
  bucketBy: OptionalOrNull(Text),
  variations: Type.Array(
    Type.Object({ variation: Index, weight: Type.Integer({ minimum: 0, maximum: limits.weightTotal }) }),
    { maxItems },
  ),
})
const serve = { variation: OptionalOrNull(Index), rollout: OptionalOrNull(Rollout) }

const Target = Type.Object({
  contextKind: OptionalOrNull(Text),
  variation: Index,
  values: Type.Array(Text, { maxItems: limits.importedListItems }),
})
const Targets = OptionalOrNull(Type.Array(Target, { maxItems }))

const config = {
  on: Type.Boolean(),
  archived: OptionalOrNull(Type.Boolean()),
  prerequisites: OptionalOrNull(Type.Array(Type.Object({ key: Name, variation: Index }), { maxItems })),
  targets: Targets,
  contextTargets: Targets,
  rules: OptionalOrNull(
    Type.Array(Type.Object({ description: OptionalOrNull(Text), clauses: Clauses, ...serve }), { maxItems }),
  ),
  fallthrough: OptionalOrNull(Type.Object(serve)),
  offVariation: OptionalOrNull(Index),
}

const availability = {
  clientSideAvailability: OptionalOrNull(Type.Object({ usingEnvironmentId: OptionalOrNull(Type.Boolean()) })),
}

const SdkFlag = Type.Object({
  ...config,
  ...availability,
  clientSide: OptionalOrNull(Type.Boolean()),
  deleted: OptionalOrNull(Type.Boolean()),
  variations: Type.Array(Type.Unknown(), { maxItems }),
})

const ApiFlag = Type.Object({
  key: Name,
  name: OptionalOrNull(Text),
  description: OptionalOrNull(Text),
  tags: OptionalOrNull(Type.Array(Text, { maxItems })),
  archived: OptionalOrNull(Type.Boolean()),
  ...availability,
  variations: Type.Array(Type.Object({ name: OptionalOrNull(Text), value: Type.Unknown() }), { maxItems }),
  environments: Type.Record(Type.String(), Type.Object(config), {
    maxProperties: limits.importedEnvironments,
  }),
})

const Keys = OptionalOrNull(Type.Array(Text, { maxItems: limits.importedListItems }))
const KeysByKind = OptionalOrNull(
  Type.Array(
    Type.Object({
      contextKind: OptionalOrNull(Text),
      values: Type.Array(Text, { maxItems: limits.importedListItems }),
    }),
    { maxItems },
  ),
)

const segment = {
  name: OptionalOrNull(Text),
  deleted: OptionalOrNull(Type.Boolean()),
  unbounded: OptionalOrNull(Type.Boolean()),
  included: Keys,
  excluded: Keys,
  includedContexts: KeysByKind,
  excludedContexts: KeysByKind,
  rules: OptionalOrNull(
    Type.Array(
      Type.Object({
        clauses: Clauses,
        weight: OptionalOrNull(Type.Integer({ minimum: 0, maximum: limits.weightTotal })),
        bucketBy: OptionalOrNull(Text),
        rolloutContextKind: OptionalOrNull(Text),
      }),
      { maxItems },
    ),
  ),
}

const flags = { maxProperties: limits.flagsPerProject }
const segments = { maxProperties: limits.segmentsPerProject }

/** What server SDKs read, also from files. */
export const LaunchDarklySdkDocument = Type.Object({
  flags: Type.Optional(Type.Record(Type.String(), SdkFlag, flags)),
  flagValues: Type.Optional(Type.Record(Type.String(), Type.Unknown(), flags)),
  segments: Type.Optional(Type.Record(Type.String(), Type.Object(segment), segments)),
})

const ApiFlags = Type.Object({ items: Type.Array(ApiFlag, { maxItems: limits.flagsPerProject }) })

/** What the API lists: flags alone, or flags with the segments of the environment. */
export const LaunchDarklyApiDocument = Type.Object({
  flags: ApiFlags,
  segments: Type.Optional(
    Type.Object({
      items: Type.Array(Type.Object({ key: Name, ...segment }), { maxItems: limits.segmentsPerProject }),
    }),
  ),
})

export type LaunchDarklySdkDocument = Static<typeof LaunchDarklySdkDocument>
export type LaunchDarklyApiDocument = Static<typeof LaunchDarklyApiDocument>
export type LaunchDarklyClause = Static<typeof Clause>
export type LaunchDarklyRollout = Static<typeof Rollout>
const Config = Type.Object(config)
export type LaunchDarklyConfig = Static<typeof Config>
const Segment = Type.Object(segment)
export type LaunchDarklySegment = Static<typeof Segment>
