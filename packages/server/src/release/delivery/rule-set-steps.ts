// Which names each change of a rule set touched, for the clients that follow it: from the version a client has, the
// names since then, and their present state, lead to the present version. What is forgotten is read in whole.

import { limits } from '@telltale/core/limits'

export interface RuleSetStep {
  /** The version it led on from. */
  readonly from: string
  readonly flags: readonly string[]
  readonly segments: readonly string[]
  /** Flags that got or lost all their overrides at once. */
  readonly tables: readonly string[]
  readonly overrides: readonly { flag: string; targetingKey: string }[]
}

export interface Touched {
  flags: Set<string>
  segments: Set<string>
  tables: Set<string>
  /** Targeting keys by flag; none of those in `tables`. */
  overrides: Map<string, Set<string>>
}

/** The steps that are remembered with this one after them. */
export function remember(steps: readonly RuleSetStep[], step: RuleSetStep): readonly RuleSetStep[] {
  const all = [...steps, step]
  let names = 0
  const first = all.findLastIndex((each) => {
    names += each.flags.length + each.segments.length + each.tables.length + each.overrides.length
    return names > limits.ruleSetStepNames
  })
  return all.slice(Math.max(first + 1, all.length - limits.ruleSetSteps))
}

/** Nothing when the version is not remembered. */
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
