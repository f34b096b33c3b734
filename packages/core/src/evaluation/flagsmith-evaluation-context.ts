// Flagsmith's published evaluation context and result: everything an evaluation needs, as plain data. Names are spelled
// as in its wire format.

export type FlagsmithValue = string | number | boolean | null

export interface EvaluationContext {
  environment: { key: string; name: string }
  identity?: IdentityContext | null | undefined
  /** The keys are arbitrary; the order decides between overrides of equal priority. */
  segments?: Readonly<Record<string, SegmentContext>> | undefined
  features?: Readonly<Record<string, FeatureContext>> | undefined
}

interface IdentityContext {
  identifier: string
  /** The key that percentages hash. Default: the environment's key and the identifier. */
  key?: string | undefined
  /** Values that are not a `FlagsmithValue` count as not set. */
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
  /** A trait, or a path such as `$.identity.identifier`. Empty for a percentage of the identity's key. */
  property: string
  operator: string
  value: string | readonly string[]
}

export interface FeatureContext {
  /** Seeds the bucketing of its variants. */
  key: string
  name: string
  enabled: boolean
  value: FlagsmithValue
  variants?: readonly FeatureVariant[] | undefined
  /** The smallest number wins; without a priority it is the weakest. */
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
  /** `control` when no variant applies, null when the feature was not split. */
  variant: string | null
  metadata?: Metadata
}

export interface EvaluationResult {
  flags: Record<string, FlagResult>
  /** The segments that the identity belongs to. */
  segments: { name: string; metadata?: Metadata }[]
}
