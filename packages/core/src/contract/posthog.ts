// Documents of PostHog: what its server SDKs read (`GET /flags/definitions?send_cohorts`), for one project. Members
// not listed here are ignored.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { OptionalOrNull } from './parameters.ts'

const Text = Type.String({ maxLength: limits.importedTextLength })
const Name = Type.String({ minLength: 1, maxLength: limits.importedTextLength })
const maxItems = limits.importedFlagParts
const Percent = Type.Number({ minimum: 0, maximum: 100 })

const Property = Type.Object({
  key: OptionalOrNull(Type.Union([Text, Type.Number()])),
  type: OptionalOrNull(Text),
  operator: OptionalOrNull(Text),
  negation: OptionalOrNull(Type.Boolean()),
  value: Type.Optional(Type.Unknown()),
})

const Condition = Type.Object({
  properties: OptionalOrNull(Type.Array(Property, { maxItems })),
  rollout_percentage: OptionalOrNull(Percent),
  variant: OptionalOrNull(Text),
  aggregation_group_type_index: OptionalOrNull(Type.Integer()),
})

const Flag = Type.Object({
  key: Name,
  name: OptionalOrNull(Text),
  active: Type.Boolean(),
  deleted: OptionalOrNull(Type.Boolean()),
  ensure_experience_continuity: OptionalOrNull(Type.Boolean()),
  bucketing_identifier: OptionalOrNull(Text),
  filters: OptionalOrNull(
    Type.Object({
      groups: OptionalOrNull(Type.Array(Condition, { maxItems })),
      super_groups: OptionalOrNull(Type.Array(Type.Unknown(), { maxItems })),
      aggregation_group_type_index: OptionalOrNull(Type.Integer()),
      early_exit: OptionalOrNull(Type.Boolean()),
      holdout: Type.Optional(Type.Unknown()),
      payloads: OptionalOrNull(Type.Record(Type.String(), Type.Unknown())),
      multivariate: OptionalOrNull(
        Type.Object({
          variants: Type.Array(
            Type.Object({ key: Name, name: OptionalOrNull(Text), rollout_percentage: Percent }),
            {
              maxItems: limits.variationsPerFlag,
            },
          ),
        }),
      ),
    }),
  ),
})

export const PostHogDocument = Type.Object({
  flags: Type.Array(Flag, { maxItems: limits.flagsPerProject }),
  group_type_mapping: OptionalOrNull(Type.Record(Type.String(), Text)),
  cohorts: OptionalOrNull(
    Type.Record(Type.String(), Type.Unknown(), { maxProperties: limits.segmentsPerProject }),
  ),
  property_matching_version: OptionalOrNull(Type.Number()),
})

export type PostHogDocument = Static<typeof PostHogDocument>
export type PostHogFlag = Static<typeof Flag>
export type PostHogCondition = Static<typeof Condition>
export type PostHogProperty = Static<typeof Property>
