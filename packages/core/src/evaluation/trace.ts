// The steps of one evaluation, written by the code that takes them. Everything shown from the context is bounded.

import type { Attribute } from './context.ts'
import type { Evaluation } from './rule-set.ts'

/** A value as it is shown: text is cut, structures are named and not copied. */
export type Shown = string | number | boolean | undefined

export interface ConditionStep {
  kind: 'condition'
  attribute: string
  operator: string
  expected: Shown
  /** Nothing when it counts as not set. */
  actual: Shown
  matched: boolean
  /** Of a percentage: where the subject stands, of 100 000 or, with Flagsmith's draw, of 100. */
  position?: number | undefined
}

export interface GroupStep {
  kind: 'group'
  match: 'all' | 'any' | 'none'
  matched: boolean
  /** Up to the one that settled it. */
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
  /** Nothing when the context lacks the attribute. */
  unit: Shown
  /** Of 100 000 or, with Flagsmith's draw, of 100. */
  position: number | undefined
  variation: string | undefined
  /** The positions of that variation. */
  ranges: readonly (readonly [number, number])[]
}

export type FlagStep =
  | { kind: 'enabled'; enabled: boolean }
  | {
      kind: 'prerequisite'
      flag: string
      /** What it has to serve. */
      variation: string
      met: boolean
      reason: 'met' | 'other-variation' | 'missing' | 'not-followed'
      trace?: Trace
    }
  | { kind: 'override'; targetingKey: Shown; variation: string | undefined }
  | { kind: 'rule'; rule: string; matched: boolean; of: MatchStep[] }
  | { kind: 'variation'; variation: string }
  | SplitStep
  | { kind: 'failed'; message: string }

export interface Trace {
  flag: string
  result: Evaluation
  steps: FlagStep[]
}

const shownCharacters = 200

export function show(value: Attribute | undefined): Shown {
  if (typeof value === 'string') return value.length > shownCharacters ? `${cut(value)}…` : value
  if (typeof value !== 'object') return value
  return Array.isArray(value) ? `list of ${value.length}` : 'structure'
}

function cut(text: string): string {
  return text.slice(0, shownCharacters).toWellFormed()
}
