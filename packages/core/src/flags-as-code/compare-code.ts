// What an application of a document would change, in words: the same comparison makes the plan, the application and
// the drift in the console.

import type { DiffLine } from '../changes/diff-lines.ts'
import { isSame } from '../changes/same.ts'
import { type CodeKind, codeKinds } from '../code-kinds.ts'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { type FlagContent, type SegmentContent, sortedEntries } from './content.ts'
import { diffAbout, diffConfig, diffMembers, diffSegment } from './describe-entry.ts'
import { firstConfigOf } from './first-config.ts'
import { matchRules } from './match-rules.ts'

export interface SavedFlag extends FlagContent {
  isArchived: boolean
}

/** Everything of a project that code can describe, complete. Kinds without rules of their own are compared as they are. */
export interface CodeState {
  flags: ReadonlyMap<string, SavedFlag>
  segments: ReadonlyMap<string, SegmentContent>
  metrics: ReadonlyMap<string, object>
  rolloutTemplates: ReadonlyMap<string, { metrics: readonly { metric: string }[] }>
  alerts: ReadonlyMap<string, object>
  dashboards: ReadonlyMap<string, object>
}

/** What a document describes, complete. */
export interface CodeTarget extends Omit<CodeState, 'flags'> {
  flags: ReadonlyMap<string, FlagContent>
}

/** An entry that was applied from the same source before. */
export interface AppliedEntry {
  kind: CodeKind
  key: string
  /** False once an application found that it is gone from the folder. */
  isInFolder: boolean
}

export interface PlannedChange {
  kind: CodeKind
  key: string
  env: string | null
  action: 'create' | 'change' | 'restore' | 'remove' | 'forget'
  lines: DiffLine[]
  /** The configuration to save, with the ids of the rules that it keeps. */
  draft?: FlagConfigDraft
  before: unknown
  after: unknown
}

interface Comparison {
  state: CodeState
  target: CodeTarget
  applied: readonly AppliedEntry[]
  prune: boolean
}

export function compareCode({ state, target, applied, prune }: Comparison): PlannedChange[] {
  return [
    ...entriesOf(target.segments).flatMap(([key, after]) =>
      compareEntry({ kind: 'segments', key, before: state.segments.get(key), after }, diffSegment),
    ),
    ...entriesOf(target.flags).flatMap(([key, after]) => compareFlag(key, state.flags.get(key), after)),
    ...(['metrics', 'rolloutTemplates', 'alerts', 'dashboards'] as const).flatMap((kind) =>
      entriesOf(target[kind]).flatMap(([key, after]) =>
        compareEntry({ kind, key, before: state[kind].get(key), after }, diffMembers),
      ),
    ),
    ...findRemoved({ state, target, applied, prune }),
  ]
}

const entriesOf = <Value>(map: ReadonlyMap<string, Value>) => sortedEntries(Object.fromEntries(map))

interface Entry<Content> {
  kind: CodeKind
  key: string
  before: Content | undefined
  after: Content
}

function compareEntry<Content extends object>(
  { kind, key, before, after }: Entry<Content>,
  diff: (before: Content | undefined, after: Content) => DiffLine[],
): PlannedChange[] {
  if (before !== undefined && isSame(before, after)) return []
  const action = before === undefined ? 'create' : 'change'
  return [{ kind, key, env: null, action, lines: diff(before, after), before: before ?? null, after }]
}

function compareFlag(key: string, saved: SavedFlag | undefined, after: FlagContent): PlannedChange[] {
  const about = compareAbout(key, saved, after)
  const usual = firstConfigOf(after.variations.map((one) => one.key))
  const configs = sortedEntries(after.environments).flatMap(([env, config]): PlannedChange[] => {
    const before = saved?.environments[env] ?? usual
    const draft = { ...config, rules: matchRules(before.rules, config.rules) }
    if (isSame(before, draft)) return []
    const lines = diffConfig(before, draft)
    return [{ kind: 'flags', key, env, action: 'change', lines, draft, before, after: draft }]
  })
  return [...about, ...configs]
}

function compareAbout(key: string, saved: SavedFlag | undefined, after: FlagContent): PlannedChange[] {
  const [before, next] = [saved && withoutConfigs(saved), withoutConfigs(after)]
  const isChanged = before === undefined || !isSame(before, next)
  if (!isChanged && saved?.isArchived !== true) return []
  const action = saved === undefined ? 'create' : saved.isArchived ? 'restore' : 'change'
  const lines = isChanged ? diffAbout(saved, after) : []
  return [{ kind: 'flags', key, env: null, action, lines, before: before ?? null, after: next }]
}

/** What a flag is in every environment. */
export function withoutConfigs(flag: FlagContent): Omit<FlagContent, 'environments'> {
  const { name, description, valueType, variations, valueSchema, tags, owners, ownerTeams } = flag
  const { permanent, removeBy, clientVisible } = flag
  return {
    name,
    description,
    valueType,
    variations,
    valueSchema,
    tags,
    owners,
    ownerTeams,
    permanent,
    removeBy,
    clientVisible,
  }
}

function findRemoved({ state, target, applied, prune }: Comparison): PlannedChange[] {
  const gone = applied.filter(({ kind, key, isInFolder }) => {
    if (target[kind].has(key) || !isThere(state, kind, key)) return false
    return prune || isInFolder
  })
  const inOrder = [...gone].sort((one, other) => codeKinds.indexOf(one.kind) - codeKinds.indexOf(other.kind))
  return inOrder.map(({ kind, key }) => {
    const before = state[kind].get(key) ?? null
    return { kind, key, env: null, action: prune ? 'remove' : 'forget', lines: [], before, after: null }
  })
}

function isThere(state: CodeState, kind: CodeKind, key: string): boolean {
  return kind === 'flags' ? state.flags.get(key)?.isArchived === false : state[kind].has(key)
}
