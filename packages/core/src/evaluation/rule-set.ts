// The input and result of an evaluation: plain data, compiled once.

import type { ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfig, HoldoutShare } from '../contract/flag-config.ts'
import type { FlagsmithFeature, FlagsmithSegment } from '../contract/flagsmith.ts'
import type { Evaluation, FlagStep, JsonValue, MatchStep } from '../contract/trace.ts'
import type { Context } from './context.ts'

export interface FlagDefinition {
  key: string
  valueType: 'boolean' | 'string' | 'number' | 'json'
  variations: readonly { key: string; value: JsonValue }[]
  clientVisible: boolean
  config: FlagConfig
  /** The origin of an import. Not used by evaluation. */
  flagsmith?: FlagsmithFeature | undefined
  /** Running holdouts that cover it. */
  holdouts?: readonly HoldoutShare[] | undefined
  /** By targeting key. Stored by reference: adding or removing an override requires no compilation. */
  overrides?: Overrides | undefined
}

/** Variations by targeting key. */
export interface Overrides {
  readonly size: number
  get(targetingKey: string): string | undefined
}

export interface SegmentDefinition {
  key: string
  when: ConditionGroup
  flagsmith?: FlagsmithSegment | undefined
}

/** Without archived flags. */
export interface RuleSetDefinition {
  flags: readonly FlagDefinition[]
  segments: readonly SegmentDefinition[]
}

/** A compiled condition. Appends to `steps` for a trace, when given. */
export type Matcher = (context: Context, ruleSet: RuleSet, steps: MatchStep[] | undefined) => boolean

export type Decide = (context: Context, ruleSet: RuleSet, steps: FlagStep[] | undefined) => Evaluation

export interface CompiledFlag {
  readonly key: string
  readonly definition: FlagDefinition
  readonly decide: Decide
  /** Why it could not be compiled; such a flag evaluates to GENERAL and does not affect others. */
  readonly fault: string | undefined
}

export interface CompiledSegment {
  readonly key: string
  readonly definition: SegmentDefinition
  readonly matches: Matcher
  /** Why it could not be compiled; such a segment matches nothing. */
  readonly fault: string | undefined
}

/** Immutable: a change creates another rule set that shares the unchanged parts. */
export interface RuleSet {
  readonly flags: ReadonlyMap<string, CompiledFlag>
  readonly segments: ReadonlyMap<string, CompiledSegment>
  /** Flags whose prerequisites are not followed: they form a cycle, or are too many or too deep. */
  readonly unfollowed: ReadonlySet<string>
}
