// What an evaluation is given and what it answers: plain data, compiled once.

import type { ConditionGroup } from '../contract/conditions.ts'
import type { FlagConfig } from '../contract/flag-config.ts'
import type { FlagsmithFeature, FlagsmithSegment } from '../contract/flagsmith.ts'
import type { Evaluation, FlagStep, JsonValue, MatchStep } from '../contract/trace.ts'
import type { Context } from './context.ts'

export interface FlagDefinition {
  key: string
  valueType: 'boolean' | 'string' | 'number' | 'json'
  variations: readonly { key: string; value: JsonValue }[]
  clientVisible: boolean
  config: Omit<FlagConfig, 'version'>
  /** The origin of an import. Not used by evaluation. */
  flagsmith?: FlagsmithFeature | undefined
  /** By targeting key. Kept by reference: adding or removing an override requires no compilation. */
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

/** Archived flags are left out. */
export interface RuleSetDefinition {
  flags: readonly FlagDefinition[]
  segments: readonly SegmentDefinition[]
}

/** Compiled conditions. They write what they did into `steps`, when there are any. */
export type Matcher = (context: Context, ruleSet: RuleSet, steps: MatchStep[] | undefined) => boolean

export type Decide = (context: Context, ruleSet: RuleSet, steps: FlagStep[] | undefined) => Evaluation

export interface CompiledFlag {
  readonly key: string
  readonly definition: FlagDefinition
  readonly decide: Decide
  /** Why it could not be compiled; such a flag answers GENERAL and harms no other. */
  readonly fault: string | undefined
}

export interface CompiledSegment {
  readonly key: string
  readonly definition: SegmentDefinition
  readonly matches: Matcher
  /** Why it failed to compile; such a segment is empty. */
  readonly fault: string | undefined
}

/** Never changed once made: a change makes another one that shares what stayed. */
export interface RuleSet {
  readonly flags: ReadonlyMap<string, CompiledFlag>
  readonly segments: ReadonlyMap<string, CompiledSegment>
  /** Flags whose prerequisites are not followed: they form a circle, or are too many or too deep. */
  readonly unfollowed: ReadonlySet<string>
}
