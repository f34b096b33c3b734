// Flagsmith's evaluation context and result, as it publishes them: all that an evaluation needs, as plain data. Names are
// spelled as on its wire.

export type FlagsmithValue = string | number | boolean | null

export interface EvaluationContext {
  environment: { key: string; name: string }
  identity?: IdentityContext | null | undefined
  /** By any key; the order decides between overrides of one priority. */
  segments?: Readonly<Record<string, SegmentContext>> | undefined
  features?: Readonly<Record<string, FeatureContext>> | undefined
}

export interface IdentityContext {
  identifier: string
  /** What draws hash. Default: the environment's key and the identifier. */
  key?: string | undefined
  /** Whatever is no `FlagsmithValue` counts as not set. */
  traits?: Readonly<Record<string, unknown>> | undefined
}

export interface SegmentContext {
  key: string
  name: string
  rules: readonly SegmentRule[]
  overrides?: readonly FeatureContext[] | undefined
  metadata?: Metadata | undefined
}

export interface SegmentRule {
  type: 'ALL' | 'ANY' | 'NONE'
  conditions?: readonly SegmentCondition[] | undefined
  rules?: readonly SegmentRule[] | undefined
}

export interface SegmentCondition {
  /** A trait, or a path such as `$.identity.identifier`. Empty: the identity's key, for a percentage. */
  property: string
  operator: string
  value: string | readonly string[]
}

export interface FeatureContext {
  /** Seeds the draw of its variants. */
  key: string
  name: string
  enabled: boolean
  value: FlagsmithValue
  variants?: readonly FeatureVariant[] | undefined
  /** The smallest is the strongest; none is the weakest. */
  priority?: number | undefined
  metadata?: Metadata | undefined
}

export interface FeatureVariant {
  key?: string | undefined
  value: FlagsmithValue
  /** In percent. */
  weight: number
  priority: number
}

export type Metadata = Readonly<Record<string, unknown>>

export interface FlagResult {
  name: string
  enabled: boolean
  value: FlagsmithValue
  reason: string
  /** `control` for the rest, null where nothing was drawn. */
  variant: string | null
  metadata?: Metadata
}

export interface EvaluationResult {
  flags: Record<string, FlagResult>
  /** Those that the identity is in. */
  segments: { name: string; metadata?: Metadata }[]
}
