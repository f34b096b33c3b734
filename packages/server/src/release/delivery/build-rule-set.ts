// Builds the rule set from which requests are answered. Unchanged parts are reused from the previous one,
// including compiled flags and their responses; changed overrides need no compilation.

import type { FlagText } from '@telltale/core/contract/rule-set-file'
import type { Evaluation, EvaluationError } from '@telltale/core/contract/trace'
import { compileRuleSet, replaceInRuleSet } from '@telltale/core/evaluation/compile'
import type { CompiledFlag, FlagDefinition, RuleSet } from '@telltale/core/evaluation/rule-set'
import type { EvaluationCounter } from '../evaluations/count-evaluations.ts'
import { changeOf } from './change-of.ts'
import { findOverride, hashOf, noOverrides, type OverrideTable, withOverride } from './override-table.ts'
import { replaceTexts } from './replace-texts.ts'
import type { RuleSetEdit } from './rule-set-edit.ts'
import { type RuleSetStep, remember } from './rule-set-steps.ts'
import { combine, emptyHash, type SetHash, showHash } from './set-hash.ts'

export interface Answer {
  readonly errorCode: EvaluationError | undefined
  /** The complete OFREP response; with a value, everything except the closing subject. */
  readonly text: string
  /** Length of the text in UTF-8 bytes. */
  readonly size: number
  /** Incremented with every response. */
  readonly counter: EvaluationCounter
}

export interface ServedFlag {
  readonly key: string
  readonly version: number
  readonly clientVisible: boolean
  readonly compiled: CompiledFlag
  /** Current overrides of the flag; the compiled flag reads them through this object. */
  readonly live: { table: OverrideTable }
  /** Responses built so far. */
  readonly answers: Map<Evaluation, Answer>
}

export interface ServedRuleSet {
  /** Changes exactly when the content changes. */
  readonly version: string
  /** The key of the environment. */
  readonly environment: string
  readonly ruleSet: RuleSet
  /** Whether any condition reads what the request of a browser says of it. */
  readonly readsRequest: boolean
  /** In the order of their keys. */
  readonly flags: ReadonlyMap<string, ServedFlag>
  /** The text of each flag, without its overrides. */
  readonly flagTexts: ReadonlyMap<string, string>
  readonly segmentTexts: ReadonlyMap<string, string>
  /** Overrides of the flags that have any. */
  readonly tables: ReadonlyMap<string, OverrideTable>
  readonly steps: readonly RuleSetStep[]
  readonly hash: SetHash
  readonly changedAt: number
}

export interface RuleSetChange {
  version: string
  /** Flags whose served value may have changed; undefined means any flag. */
  flags: ReadonlySet<string> | undefined
  /** Those of them that are, or were, visible to client keys. */
  visible: ReadonlySet<string> | undefined
}

export function emptyRuleSet(environment: string, now: number): ServedRuleSet {
  return {
    version: showHash(emptyHash),
    environment,
    ruleSet: compileRuleSet({ flags: [], segments: [] }),
    readsRequest: false,
    flags: new Map(),
    flagTexts: new Map(),
    segmentTexts: new Map(),
    tables: new Map(),
    steps: [],
    hash: emptyHash,
    changedAt: now,
  }
}

/** Costs as much as the edit, plus one pass over the flags. */
export function editRuleSet(
  previous: ServedRuleSet,
  edit: RuleSetEdit,
  now: number,
): { next: ServedRuleSet; change: RuleSetChange | undefined } {
  const flags = replaceTexts('flag', previous.flagTexts, { items: edit.flags, removed: edit.removedFlags })
  const segments = replaceTexts('segment', previous.segmentTexts, {
    items: edit.segments,
    removed: edit.removedSegments,
  })
  const overrides = replaceOverrides(previous, edit, { flagTexts: flags.texts, removed: flags.removed })
  const step: RuleSetStep = {
    from: previous.version,
    flags: [...flags.changed.map(({ key }) => key), ...flags.removed],
    segments: [...segments.changed.map(({ key }) => key), ...segments.removed],
    tables: overrides.replaced,
    overrides: overrides.changed,
  }
  const hash = [flags.hash, segments.hash, overrides.hash].reduce(combine, previous.hash)
  const version = showHash(hash)
  if (version === previous.version) return { next: previous, change: undefined }

  const served = serveFlags(previous, { changed: flags.changed, removed: flags.removed }, overrides.tables)
  const hasNewRules = step.flags.length + step.segments.length > 0
  const ruleSet = !hasNewRules
    ? previous.ruleSet
    : replaceInRuleSet(previous.ruleSet, {
        flags: served.definitions,
        segments: segments.changed,
        removedFlags: flags.removed,
        removedSegments: segments.removed,
      })
  const next: ServedRuleSet = {
    version,
    environment: previous.environment,
    ruleSet,
    readsRequest: hasNewRules ? readRequest([flags.texts, segments.texts]) : previous.readsRequest,
    flags: served.withCompiled(ruleSet),
    flagTexts: flags.texts,
    segmentTexts: segments.texts,
    tables: overrides.tables,
    steps: remember(previous.steps, step),
    hash,
    changedAt: now,
  }
  return { next, change: changeOf(previous, next, step) }
}

/** Attributes that start like this come from the request. Found by their text: a value that looks like one costs a little. */
function readRequest(texts: readonly ReadonlyMap<string, string>[]): boolean {
  return texts.some((each) => [...each.values()].some((text) => text.includes('"request.')))
}

function replaceOverrides(
  previous: ServedRuleSet,
  edit: RuleSetEdit,
  { flagTexts, removed }: { flagTexts: ReadonlyMap<string, string>; removed: readonly string[] },
) {
  const tables = new Map(previous.tables)
  for (const key of removed) tables.delete(key)
  for (const [key, table] of edit.tables) {
    if (flagTexts.has(key) && table.size > 0) tables.set(key, table)
    else tables.delete(key)
  }
  const changed = edit.overrides.filter(({ flag, targetingKey, variation }) => {
    const table = tables.get(flag) ?? noOverrides
    if (!flagTexts.has(flag) || findOverride(table, targetingKey) === variation) return false
    tables.set(flag, withOverride(table, targetingKey, variation))
    return true
  })
  let hash = emptyHash
  const touched = new Set([...removed, ...edit.tables.keys(), ...changed.map(({ flag }) => flag)])
  for (const key of touched) {
    const sides = [previous.tables.get(key), tables.get(key)].map((table) =>
      hashOf(key, table ?? noOverrides),
    )
    hash = sides.reduce(combine, hash)
  }
  // A flag that is new to a client replaces any overrides of an earlier flag with this key.
  const appeared = edit.flags.map(({ key }) => key).filter((key) => !previous.flagTexts.has(key))
  const replaced = new Set([...appeared, ...[...edit.tables.keys()].filter((key) => flagTexts.has(key))])
  return { tables, changed, replaced: [...replaced], hash }
}

/** The next served flags: unchanged ones are reused, and definitions of the others are to be compiled. */
function serveFlags(
  previous: ServedRuleSet,
  { changed, removed }: { changed: readonly FlagText[]; removed: readonly string[] },
  tables: ReadonlyMap<string, OverrideTable>,
) {
  const lives = new Map(
    changed.map(({ key }) => [key, previous.flags.get(key)?.live ?? { table: noOverrides }]),
  )
  for (const key of new Set([...previous.tables.keys(), ...tables.keys()])) {
    const live = previous.flags.get(key)?.live
    if (live !== undefined) live.table = tables.get(key) ?? noOverrides
  }
  for (const [key, live] of lives) live.table = tables.get(key) ?? noOverrides

  return {
    definitions: changed.map((flag) => toDefinition(flag, lives.get(flag.key) ?? { table: noOverrides })),
    withCompiled(ruleSet: RuleSet): ReadonlyMap<string, ServedFlag> {
      if (changed.length + removed.length === 0) return previous.flags
      const flags = new Map(previous.flags)
      for (const key of removed) flags.delete(key)
      for (const { key, version, clientVisible } of changed) {
        const [compiled, live] = [ruleSet.flags.get(key), lives.get(key)]
        if (compiled === undefined || live === undefined) throw new Error(`The flag ${key} is missing.`)
        flags.set(key, { key, version, clientVisible, compiled, live, answers: new Map() })
      }
      // Cached responses depend on whether they may name this flag.
      const revealed = changed.filter(
        ({ key, clientVisible }) => previous.flags.get(key)?.clientVisible !== clientVisible,
      )
      forgetAnswers(flags, new Set([...revealed.map(({ key }) => key), ...removed]))
      const hasNew = changed.some(({ key }) => !previous.flags.has(key))
      return hasNew ? new Map([...flags].sort(([a], [b]) => (a < b ? -1 : 1))) : flags
    },
  }
}

/** Drops cached responses of flags that have one of these as a prerequisite. */
function forgetAnswers(flags: Map<string, ServedFlag>, prerequisites: ReadonlySet<string>): void {
  if (prerequisites.size === 0) return
  for (const [key, served] of flags) {
    const { config } = served.compiled.definition
    if (!config.prerequisites.some(({ flag }) => prerequisites.has(flag))) continue
    flags.set(key, { ...served, answers: new Map() })
  }
}

function toDefinition({ version: _version, ...flag }: FlagText, live: ServedFlag['live']): FlagDefinition {
  const overrides = {
    get size() {
      return live.table.size
    },
    get: (targetingKey: string) => findOverride(live.table, targetingKey),
  }
  return { ...flag, overrides }
}
