// The result of an evaluation and the steps that led to it, for display. Everything shown from the context is
// bounded.

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue }

export type Reason = 'STATIC' | 'DEFAULT' | 'TARGETING_MATCH' | 'SPLIT' | 'HOLDOUT' | 'DISABLED' | 'ERROR'
export type EvaluationError = 'FLAG_NOT_FOUND' | 'INVALID_CONTEXT' | 'TARGETING_KEY_MISSING' | 'GENERAL'

/**
 * The result. Created when the flag is compiled and shared by every evaluation with this result, so it and its value
 * are frozen.
 */
export interface Evaluation {
  /** Undefined with an error. */
  readonly value: JsonValue | undefined
  readonly variation: string | undefined
  readonly reason: Reason
  readonly ruleId: string | undefined
  /** The split that assigned the variation. The subject's unit is read on demand: `unitOf`, `armOf`. */
  readonly split: { readonly id: string; readonly epoch: number; readonly by: string } | undefined
  /** The key of the first prerequisite that did not serve the required variation. */
  readonly prerequisite: string | undefined
  readonly overridden: boolean
  readonly errorCode: EvaluationError | undefined
}

/** A value for display: text is truncated, structures are named and not copied. */
export type Shown = string | number | boolean | undefined

export interface ConditionStep {
  kind: 'condition'
  attribute: string
  operator: string
  expected: Shown
  /** Undefined when it counts as not set. */
  actual: Shown
  matched: boolean
  /** For a percentage: the subject's bucket, of 100,000, or of 100 with Flagsmith's bucketing. */
  position?: number | undefined
}

export interface GroupStep {
  kind: 'group'
  match: 'all' | 'any' | 'none'
  matched: boolean
  /** Up to the one that decided. */
  of: MatchStep[]
}

export interface SegmentStep {
  kind: 'segment'
  segment: string
  operator: 'in-segment' | 'not-in-segment'
  matched: boolean
  of: MatchStep[]
}

export type MatchStep = ConditionStep | GroupStep | SegmentStep

export interface SplitStep {
  kind: 'split'
  split: string
  by: string
  /** Undefined if the context lacks the attribute. */
  unit: Shown
  /** Of 100,000, or of 100 with Flagsmith's bucketing. */
  position: number | undefined
  variation: string | undefined
  /** The positions of that variation. */
  ranges: readonly (readonly [number, number])[]
}

/** Whether an experiment in a layer includes the user. */
export interface LayerStep {
  kind: 'layer'
  layer: string
  by: string
  /** Undefined if the context lacks the attribute. */
  unit: Shown
  /** Of 100,000. */
  position: number | undefined
  ranges: readonly (readonly [number, number])[]
  /** All others get the control. */
  included: boolean
}

/** Whether a holdout keeps the user out of the flag. */
export interface HoldoutStep {
  kind: 'holdout'
  holdout: string
  unit: Shown
  /** Of 100,000. */
  position: number
  held: boolean
}

export type FlagStep =
  | { kind: 'enabled'; enabled: boolean }
  | {
      kind: 'prerequisite'
      flag: string
      /** The required variation. */
      variation: string
      met: boolean
      reason: 'met' | 'other-variation' | 'missing' | 'not-followed'
      trace?: Trace
    }
  | { kind: 'override'; targetingKey: Shown; variation: string | undefined }
  | { kind: 'rule'; rule: string; matched: boolean; of: MatchStep[] }
  | { kind: 'variation'; variation: string }
  | SplitStep
  | LayerStep
  | HoldoutStep
  | { kind: 'failed'; message: string }

export interface Trace {
  flag: string
  result: Evaluation
  steps: FlagStep[]
}
