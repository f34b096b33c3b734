// The rule set of an environment as text: what server SDKs are given, what is kept on disk, and what versions are
// told apart by.

import { ConditionGroup } from '@telltale/core/contract/conditions'
import { FlagConfig } from '@telltale/core/contract/flag-config'
import type { JsonValue, RuleSetDefinition } from '@telltale/core/evaluation/rule-set'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

const RuleSetFlag = Type.Object({
  key: Type.String(),
  /** Of what the flag does in this environment. */
  version: Type.Number(),
  valueType: Type.Enum(['boolean', 'string', 'number', 'json']),
  clientVisible: Type.Boolean(),
  variations: Type.Array(Type.Object({ key: Type.String(), value: Type.Unsafe<JsonValue>(Type.Unknown()) })),
  config: Type.Omit(FlagConfig, ['version']),
  /** Variations by targeting key. */
  overrides: Type.Record(Type.String(), Type.String()),
})

const RuleSetSegment = Type.Object({ key: Type.String(), when: ConditionGroup })

const RuleSetFile = Type.Object({
  version: Type.String(),
  flags: Type.Array(RuleSetFlag),
  segments: Type.Array(RuleSetSegment),
})

export type RuleSetFlag = Static<typeof RuleSetFlag>
export type RuleSetSegment = Static<typeof RuleSetSegment>
/** Without the version, which is made from it. */
export type RuleSetSource = Pick<Static<typeof RuleSetFile>, 'flags' | 'segments'>

const fileSchema = Compile(RuleSetFile)

/** What a stored file holds, or undefined when it is no rule set. */
export function readRuleSetFile(content: unknown): RuleSetSource | undefined {
  return fileSchema.Check(content) ? content : undefined
}

/** In a stable order, so that the same rules give the same text. */
export function toSource(
  { flags, segments }: RuleSetDefinition,
  versions: ReadonlyMap<string, { version: number }>,
): RuleSetSource {
  return {
    flags: flags
      .map(({ key, valueType, clientVisible, variations, config, overrides }) => ({
        key,
        version: versions.get(key)?.version ?? 0,
        valueType,
        clientVisible,
        variations: variations.map((each) => ({ key: each.key, value: each.value })),
        config,
        overrides: Object.fromEntries([...(overrides ?? [])].sort(([a], [b]) => compare(a, b))),
      }))
      .sort(byKey),
    segments: segments.map(({ key, when }) => ({ key, when })).sort(byKey),
  }
}

function byKey(a: { key: string }, b: { key: string }): number {
  return compare(a.key, b.key)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
