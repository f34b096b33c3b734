// The source of a rule set, and the edit from one to the next. Finding the difference takes time proportional
// to the size of the rule set, so it yields regularly; the difference itself is small.

import type { FlagText, SegmentText } from '@telltale/core/contract/rule-set-file'
import { createYielder } from '../../platform/process/create-yielder.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import { fillTable, findOverride, noOverrides, type OverrideTable } from './override-table.ts'

/** The whole rule set as read. */
export interface RuleSetSource {
  /** The key of the environment. */
  environment: string
  flags: readonly FlagText[]
  segments: readonly SegmentText[]
  /** By flag and targeting key. */
  overrides: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export interface OverrideEdit {
  flag: string
  targetingKey: string
  /** Undefined: the override was removed. */
  variation: string | undefined
}

export interface RuleSetEdit {
  /** Possibly new or changed flags; unchanged ones are ignored. */
  flags: readonly FlagText[]
  removedFlags: readonly string[]
  segments: readonly SegmentText[]
  removedSegments: readonly string[]
  /** Complete overrides of a flag, which replace the previous ones. */
  tables: ReadonlyMap<string, OverrideTable>
  overrides: readonly OverrideEdit[]
}

export const noEdit: RuleSetEdit = {
  flags: [],
  removedFlags: [],
  segments: [],
  removedSegments: [],
  tables: new Map(),
  overrides: [],
}

/** Above this number, a whole table is cheaper than its changes. */
const editsPerTable = 1_000

export async function findEdit(previous: ServedRuleSet, source: RuleSetSource): Promise<RuleSetEdit> {
  const yieldIfDue = createYielder()
  const flags = new Set(source.flags.map(({ key }) => key))
  const segments = new Set(source.segments.map(({ key }) => key))
  const tables = new Map<string, OverrideTable>()
  const overrides: OverrideEdit[] = []
  for (const flag of flags) {
    const loaded = source.overrides.get(flag) ?? new Map<string, string>()
    const held = previous.tables.get(flag) ?? noOverrides
    const edits = held.size === 0 ? undefined : await findOverrideEdits(flag, { held, loaded, yieldIfDue })
    if (edits !== undefined && edits.length <= editsPerTable) overrides.push(...edits)
    else if (loaded.size > 0 || held.size > 0) tables.set(flag, await fillTable(loaded, yieldIfDue))
  }
  return {
    flags: source.flags,
    removedFlags: [...previous.flags.keys()].filter((key) => !flags.has(key)),
    segments: source.segments,
    removedSegments: [...previous.ruleSet.segments.keys()].filter((key) => !segments.has(key)),
    tables,
    overrides,
  }
}

async function findOverrideEdits(
  flag: string,
  {
    held,
    loaded,
    yieldIfDue,
  }: {
    held: OverrideTable
    loaded: ReadonlyMap<string, string>
    yieldIfDue: () => Promise<void> | undefined
  },
): Promise<OverrideEdit[]> {
  const edits: OverrideEdit[] = []
  for (const [targetingKey, variation] of loaded) {
    if (findOverride(held, targetingKey) !== variation) edits.push({ flag, targetingKey, variation })
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  for (const bucket of held.buckets) {
    for (const targetingKey of bucket.keys()) {
      if (!loaded.has(targetingKey)) edits.push({ flag, targetingKey, variation: undefined })
    }
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return edits
}
