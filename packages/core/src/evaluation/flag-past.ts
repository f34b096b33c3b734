// Reconstructs a flag at a past moment from the versions of its configuration and the epochs of its splits: the weights
// of a rollout's stages are recorded in the epochs, not in the versions.

import type { Arm, FlagConfig, Serve } from '../contract/flag-config.ts'
import { compileRuleSet } from './compile.ts'
import type { FlagDefinition, RuleSet, SegmentDefinition } from './rule-set.ts'

export interface FlagPast {
  /** The parts without a history. */
  flag: Omit<FlagDefinition, 'config'>
  /** Oldest first. */
  versions: readonly { savedAt: number; config: FlagConfig }[]
  /** The epochs of its splits, oldest first. */
  epochs: readonly PastEpoch[]
  archivedAt: number | undefined
}

interface PastEpoch {
  split: string
  epoch: number
  by: string
  arms: Arm[]
  startedAt: number
}

type FlagPasts = ReadonlyMap<string, FlagPast>

/** Undefined before its first known version and after it was archived. */
function definitionAt({ flag, versions, epochs, archivedAt }: FlagPast, at: number) {
  const version = versions.findLast(({ savedAt }) => savedAt <= at)
  if (version === undefined || (archivedAt !== undefined && archivedAt <= at)) return undefined
  const { config } = version
  const then = (serve: Serve): Serve => {
    if (!('split' in serve)) return serve
    const found = epochs.findLast(({ split, startedAt }) => split === serve.split.id && startedAt <= at)
    if (found === undefined) return serve
    return { split: { ...serve.split, epoch: found.epoch, by: found.by, arms: found.arms } }
  }
  const rules = config.rules.map((rule) => ({ ...rule, serve: then(rule.serve) }))
  return { ...flag, config: { ...config, rules, fallthrough: then(config.fallthrough) } }
}

/** The flag and all flags that were ever its prerequisites, directly or indirectly. */
function withPrerequisites(pasts: FlagPasts, flag: string): string[] {
  const found = new Set([flag])
  for (const key of found) {
    for (const { config } of pasts.get(key)?.versions ?? []) {
      for (const { flag: requested } of config.prerequisites) found.add(requested)
    }
  }
  return [...found]
}

/** Times of all changes that affect the flag, in ascending order. */
export function changesOf(pasts: FlagPasts, flag: string): number[] {
  const moments = withPrerequisites(pasts, flag).flatMap((key) => {
    const { versions = [], epochs = [], archivedAt } = pasts.get(key) ?? {}
    const ends = archivedAt === undefined ? [] : [archivedAt]
    return [...versions.map(({ savedAt }) => savedAt), ...epochs.map(({ startedAt }) => startedAt), ...ends]
  })
  return [...new Set(moments)].sort((left, right) => left - right)
}

export function ruleSetAt(
  pasts: FlagPasts,
  { flag, at, segments }: { flag: string; at: number; segments: readonly SegmentDefinition[] },
): RuleSet {
  const flags = withPrerequisites(pasts, flag).flatMap((key) => {
    const past = pasts.get(key)
    return (past && definitionAt(past, at)) ?? []
  })
  return compileRuleSet({ flags, segments })
}
