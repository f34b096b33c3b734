// The names touched by each change of a rule set, for clients that follow it: the names since a client's
// version, with their current state, lead to the current version. Older versions require the whole rule set.

import { limits } from '@telltale/core/limits'

export interface RuleSetStep {
  /** The version before the step. */
  readonly from: string
  readonly flags: readonly string[]
  readonly segments: readonly string[]
  /** Flags whose overrides were replaced as a whole. */
  readonly tables: readonly string[]
  readonly overrides: readonly { flag: string; targetingKey: string }[]
}

export interface Touched {
  flags: Set<string>
  segments: Set<string>
  tables: Set<string>
  /** Targeting keys by flag, without the flags in `tables`. */
  overrides: Map<string, Set<string>>
}

/** The kept steps, with this one added. */
export function remember(steps: readonly RuleSetStep[], step: RuleSetStep): readonly RuleSetStep[] {
  const all = [...steps, step]
  let names = 0
  const first = all.findLastIndex((each) => {
    names += each.flags.length + each.segments.length + each.tables.length + each.overrides.length
    return names > limits.ruleSetStepNames
  })
  return all.slice(Math.max(first + 1, all.length - limits.ruleSetSteps))
}

/** Undefined if the version is no longer kept. */
export function touchedSince(steps: readonly RuleSetStep[], version: string): Touched | undefined {
  const first = steps.findLastIndex(({ from }) => from === version)
  if (first < 0) return undefined

  const since = steps.slice(first)
  const tables = new Set(since.flatMap((step) => step.tables))
  const overrides = new Map<string, Set<string>>()
  for (const { flag, targetingKey } of since.flatMap((step) => step.overrides)) {
    if (tables.has(flag)) continue
    const ofFlag = overrides.get(flag) ?? new Set()
    overrides.set(flag, ofFlag.add(targetingKey))
  }
  return {
    flags: new Set([...since.flatMap((step) => step.flags), ...tables]),
    segments: new Set(since.flatMap((step) => step.segments)),
    tables,
    overrides,
  }
}
